/** Decides whether a server that stopped by itself is started again. */
export class CrashPolicy {
  private crashes: number[] = [];

  constructor(
    readonly restarts = 4,
    readonly minutes = 3,
    private readonly now: () => number = Date.now,
  ) {}

  /** How long to wait before the next start, in milliseconds, or `undefined` to give up. */
  afterCrash(): number | undefined {
    const now = this.now();
    this.crashes = this.crashes.filter((at) => now - at < this.minutes * 60_000);
    this.crashes.push(now);
    // Longer each time, so that a server that dies at once does not keep a core busy.
    return this.crashes.length > this.restarts ? undefined : 250 * 2 ** (this.crashes.length - 1);
  }

  forget(): void {
    this.crashes = [];
  }
}
