/** The other end of plain request-reply: gives every message back. */
import { connect } from '@nats-io/transport-node';

const [, , servers = '', subject = ''] = process.argv;
const connection = await connect({ servers });
connection.subscribe(subject, { queue: 'bench', callback: (_error, message) => void message.respond(message.data) });
await connection.flush();
console.log('ready');
process.once('SIGTERM', () => process.exit());
