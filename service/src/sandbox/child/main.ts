/** The process of the programs: lines from the service to the pool of threads and back. It ends with its input, so with the service. */
import type { ToPrograms } from '../messages';
import { LineReader } from './line-reader.ts';
import { type PoolOptions, ThreadPool } from './thread-pool.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as PoolOptions;
const pool = new ThreadPool(options, (message) => process.stdout.write(`${JSON.stringify(message)}\n`));
const lines = new LineReader(Number.POSITIVE_INFINITY, (line) => pool.receive(JSON.parse(line) as ToPrograms));

process.stdin.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => process.exit());
// A Ctrl-C in a terminal reaches the service and this process, and the service still needs its programs.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
