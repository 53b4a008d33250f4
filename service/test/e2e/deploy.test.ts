/** The examples in deploy/, held against the service itself, and against the tools that read them, where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { PATHS } from '#sdk/protocol/http';
import { makeFolder } from '../../../test/support/folder';
import { runCommand } from '../support/command';

const FOLDER = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const FILES = ['Caddyfile', 'Dockerfile', 'compose.yaml', 'kubernetes.yaml', 'svc-sdk.service'];

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** Removes the comments, which mention other programs too. */
function settingsOf(name: string): string {
  return read(name).replaceAll(/^\s*#.*$/gm, '');
}

function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

interface Compose {
  services: Record<
    string,
    { command?: string[]; environment?: Record<string, string>; depends_on?: object; volumes?: string[]; healthcheck?: object }
  >;
  volumes: Record<string, unknown>;
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const kubernetes = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS({ maxAliasCount: 0 }));

test('every file is covered here', () => expect(readdirSync(FOLDER).sort()).toEqual(FILES));

test('every flag and variable of the service is one that it has', async () => {
  const { stdout: help } = await runCommand(['serve', '--help']);
  const deployment = kubernetes.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
  const commands = [
    compose.services.node1?.command ?? [],
    deployment.args,
    /^ExecStart=(.*)$/m.exec(settingsOf('svc-sdk.service'))?.[1]?.split(' ').slice(1),
    JSON.parse(/^CMD (.*)$/m.exec(settingsOf('Dockerfile'))?.[1] ?? ''),
  ];
  for (const [command, ...flags] of commands) {
    expect(command).toBe('serve');
    for (const flag of flags.filter((word: string) => word.startsWith('--'))) expect(help).toContain(` ${flag} `);
  }
  const variables = [
    ...Object.keys(compose.services.node1?.environment ?? {}),
    ...deployment.env.map(({ name }: { name: string }) => name),
  ];
  for (const name of [...variables, ...(read('svc-sdk.service').match(/SVC_\w+/g) ?? [])]) expect(help).toContain(name);
});

test('probes and health checks request existing paths', () => {
  const asked = FILES.flatMap((name) => settingsOf(name).match(/\/(?:healthz|readyz|metrics)\b/g) ?? []);
  expect(new Set(asked)).toEqual(new Set([PATHS.health, PATHS.ready, PATHS.metrics]));
  const { startupProbe, readinessProbe, livenessProbe } = kubernetes[0].spec.template.spec.containers[0];
  expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet)).toEqual([
    { path: PATHS.health, port: 'http' },
    { path: PATHS.ready, port: 'http' },
    { path: PATHS.health, port: 'http' },
  ]);
});

test('no file holds a secret: they are named, never written', () => {
  for (const name of FILES) expect(settingsOf(name)).not.toMatch(/svc_(agent|toolkit|admin)_|:\/\/[^$\s/]*:[^$\s/]+@/);
  const { env } = kubernetes[0].spec.template.spec.containers[0];
  for (const variable of env) expect(variable.valueFrom.secretKeyRef).toEqual({ name: 'svc-sdk', key: expect.any(String) });
});

test('in compose.yaml every dependency has a health check, and every volume is declared', () => {
  const { services, volumes } = compose;
  for (const [name, service] of Object.entries(services)) {
    for (const other of Object.keys(service.depends_on ?? {})) expect(services[other]?.healthcheck, `${name} needs ${other}`).toBeDefined();
    const named = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '').filter((volume) => !volume.startsWith('.'));
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
  }
  const nodes = Object.keys(services).filter((name) => name.startsWith('node'));
  expect(read('Caddyfile')).toContain(`reverse_proxy ${nodes.map((name) => `${name}:8787`).join(' ')} {`);
});

test('in kubernetes.yaml everything selects the pods of the deployment, and the drain fits into the grace', () => {
  const [deployment, service, budget] = kubernetes;
  const { labels } = deployment.spec.template.metadata;
  expect([deployment.spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([labels, labels, labels]);
  expect(service.spec.ports[0].targetPort).toBe(deployment.spec.template.spec.containers[0].ports[0].name);
  expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 45);
});

test.runIf(isInstalled('systemd-analyze', '--version'))('systemd takes the unit, and calls it well confined', () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const unit = join(path, 'svc-sdk.service');
  // Its program is not installed here.
  writeFileSync(unit, read('svc-sdk.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  // Messages about other units of the machine are ignored.
  expect(stderr.split('\n').filter((line) => line.includes('svc-sdk.service'))).toEqual([]);
  const judged = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], { encoding: 'utf8' });
  expect(judged).toContain('OK');
});

test.runIf(isInstalled('docker', 'compose', 'version'))('docker compose takes the file', () => {
  const env = { ...process.env, SVC_HOST: 'localhost', POSTGRES_PASSWORD: 'a', NATS_PASSWORD: 'b', SVC_METRICS_TOKEN: 'c' };
  execFileSync('docker', ['compose', '--file', join(FOLDER, 'compose.yaml'), 'config', '--quiet'], { env });
});

test.runIf(isInstalled('caddy', 'version'))('Caddy takes its file', () => {
  execFileSync('caddy', ['validate', '--config', join(FOLDER, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { ...process.env, SVC_HOST: 'localhost' },
  });
});
