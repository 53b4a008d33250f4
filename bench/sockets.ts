/**
 * Ten thousand idle toolkit sockets on one node: memory and CPU time of each, beside a bare `ws` server with as many; then all of them reconnect
 * after a fault, while others call. bench/README.md explains the figures.
 *
 * Errors: exit 1 when sockets did not reconnect, or another call failed although the node was alive.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requirePrograms } from '../scripts/programs.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { startMeasured } from './common/measured-process.ts';
import { removeFolder, temporaryFolder } from './common/processes.ts';
import { measureHolding } from './sockets/holding.ts';
import { readSocketsOptions } from './sockets/options.ts';
import { measureRecovery } from './sockets/recovery.ts';
import { formatGoals, formatHoldings, formatRecoveries } from './sockets/report.ts';
import { idleToolkits, measureTakeover } from './sockets/takeover.ts';
import { ToolkitCrowd } from './sockets/toolkit-crowd.ts';
import { createKeys } from './svc/admin-keys.ts';
import { serveEcho } from './svc/echo.ts';
import { startServiceNode } from './svc/node.ts';
import { createKey, onDisk } from './svc/service.ts';

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const { sockets, replicas, processes, heartbeatMs, limits, cluster, json } = readSocketsOptions(process.argv.slice(2));
if (cluster) requirePrograms('postgres', 'nats');
const toolkits = Math.ceil(sockets / replicas);
const before = machineFacts();
console.log(describeMachine(before));

const crowd = new ToolkitCrowd(processes);
const bare = await startMeasured([beside('sockets/bare-service.ts'), String(heartbeatMs)], { ready: /http:\S+(?=\s)/ });
const unusedKeys = Array<string>(toolkits).fill(`svc_toolkit_${'0'.repeat(49)}`);
const floor = await measureHolding(bare, crowd, { name: 'bare ws', origins: [bare.address], keys: unusedKeys, replicas, heartbeatMs });
await crowd.close();
await bare.stop();

const data = temporaryFolder();
const storage = onDisk(data);
const adminKey = await createKey('admin', storage);
const maker = await startServiceNode(storage);
const keys = await createKeys(maker.address, adminKey, idleToolkits(toolkits));
await maker.stop();
// A fresh node, so that the memory used to create the keys does not count.
let node = await startServiceNode(storage, { limits });
const origin = node.address;
const held = await measureHolding(node, crowd, {
  name: 'svc-sdk',
  origins: [origin],
  keys: keys.map(({ key }) => key),
  replicas,
  heartbeatMs,
});

const probed = await serveEcho(adminKey, { servedAt: [origin], calledAt: [origin] });
const target = { origin, agentKey: probed.agentKey, actionId: probed.actionId };
const cut = await measureRecovery(crowd, target, { name: 'all connections break', nodeLives: true, strike: () => crowd.cut() });
const killed = await measureRecovery(crowd, target, {
  name: 'SIGKILL, started again',
  nodeLives: false,
  strike: async () => {
    await node.kill();
    node = await startServiceNode(storage, { limits, port: Number(new URL(origin).port) });
  },
});
await crowd.close();
await probed.stop();
await node.stop();
removeFolder(data);
const recoveries = [cut, killed, ...(cluster ? [await measureTakeover(crowd, { toolkits, replicas, limits })] : [])];
crowd.stop();

const after = machineFacts();
console.log(`\n${formatHoldings([floor, held])}\n\n${formatRecoveries(recoveries)}\n\n${formatGoals({ floor, held, recoveries })}`);
console.log(`load average at the end: ${after.loadAverage.map((value) => value.toFixed(2)).join(' ')}`);
if (json)
  writeFileSync(
    json,
    `${JSON.stringify({ at: new Date().toISOString(), machine: { before, after }, floor, held, recoveries }, null, 2)}\n`,
  );
const failed = recoveries.some(
  ({ allMs, nodeLives, probe }) => Number.isNaN(allMs) || (nodeLives && Object.keys(probe.failures).length > 0),
);
if (failed) process.exitCode = 1;
