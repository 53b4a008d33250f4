/** A bus in another process: answers in the group until it is killed. */
import { openNatsBus } from '../../src/bus/nats-bus';
import { readNatsOptions } from '../../src/bus/nats-options';

const [servers = '', prefix = ''] = process.argv.slice(2);
const bus = await openNatsBus({ settings: readNatsOptions({ servers, prefix }) });
bus.subscribe('calls', (message, answer) => answer(`${message} from ${process.pid}`), { group: 'nodes' });
await bus.flush();
console.log(`ready ${process.pid}`);
