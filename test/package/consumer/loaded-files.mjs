/** Prints the URLs of all files that importing the argument loads, Node's own modules aside. */
import { registerHooks } from 'node:module';

const loaded = [];
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('node:')) loaded.push(url);
    return nextLoad(url, context);
  },
});
await import(process.argv[2]);
console.log(JSON.stringify(loaded));
