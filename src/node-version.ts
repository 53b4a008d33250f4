/** The runtime. A command checks its version before it loads anything that an older Node cannot load. */
import { engines } from '../package.json';

interface Versions {
  node: string;
  bun?: string | undefined;
  deno?: string | undefined;
}

/** Bun and Deno have their own servers behind `node:http`, which do not hand over connections, and other settings of their engines. */
export const isNode: boolean = process.versions.bun === undefined && process.versions.deno === undefined;

/**
 * One line for the terminal, or undefined on a Node that is new enough. Bun and Deno report the version of Node that they are compatible with.
 *
 * @param command the name of the command, without its arguments: they may hold a key
 * @param packageName the package that has it
 */
export function nodeProblem(command: string, packageName: string, { node, bun, deno }: Versions = process.versions): string | undefined {
  const needed = engines.node.replace('>=', '');
  if (!isOlder(node, needed)) return undefined;
  const runtime = bun ? `Bun ${bun}, compatible with Node ${node}` : deno ? `Deno ${deno}, compatible with Node ${node}` : `Node ${node}`;
  return `${packageName} needs Node ${needed} or newer, and this is ${runtime}. Update it, or start the command as: npx -p node@24 -p ${packageName} ${command}`;
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}
