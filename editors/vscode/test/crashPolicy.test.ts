import { expect, test } from "vitest";
import { CrashPolicy } from "../src/crashPolicy";

test("four restarts, each after a longer wait, then none", () => {
  const policy = new CrashPolicy(4, 3, () => 0);
  expect([1, 2, 3, 4, 5].map(() => policy.afterCrash())).toEqual([250, 500, 1000, 2000, undefined]);
});

test("crashes of long ago do not count", () => {
  let now = 0;
  const policy = new CrashPolicy(4, 3, () => now);
  for (let crash = 0; crash < 20; crash += 1) {
    expect(policy.afterCrash()).toBeDefined();
    now += 60_000;
  }
});

test("a restart by hand begins anew", () => {
  const policy = new CrashPolicy(1, 3, () => 0);
  policy.afterCrash();
  policy.forget();
  expect(policy.afterCrash()).toBe(250);
});
