" Agent files that Neovim has no file type for. `setfiletype` leaves alone what another plugin has decided.
autocmd BufNewFile,BufRead *.mdc,.cursorrules,.windsurfrules,.clinerules,.clinerules-*,.roorules,.roorules-*,.augment-guidelines,.rules setfiletype markdown
