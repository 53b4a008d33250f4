/** `node scripts/require-programs.ts postgres nats`: the first step of an npm script that needs them, before it builds anything. */
import { PROGRAM_NAMES, requirePrograms } from './programs.ts';

const wanted = process.argv.slice(2);
requirePrograms(...PROGRAM_NAMES.filter((name) => wanted.includes(name)));
