/**
 * `npm run osv`: asks OSV.dev for known vulnerabilities of the packages in the built files.
 *
 * Errors: exit 1 for a vulnerability, with its page. Without a network the check is left out, and the output says so.
 * Source: https://google.github.io/osv.dev/post-v1-querybatch/
 */
import { readFileSync } from 'node:fs';

interface Answer {
  results: { vulns?: { id: string }[] }[];
}

const PATIENCE_MS = 10_000;
const url = process.env.SVC_OSV_URL ?? 'https://api.osv.dev';
const purls = ['dist/sbom.cdx.json', 'service/dist/sbom.cdx.json', 'service/dist/console-sbom.cdx.json'].flatMap((file) =>
  JSON.parse(readFileSync(file, 'utf8')).components.map(({ purl }: { purl: string }) => purl),
);
const answer = await ask();
if (answer) report(answer);

/** Undefined when the service cannot be reached. */
async function ask(): Promise<Answer | undefined> {
  const body = JSON.stringify({ queries: purls.map((purl) => ({ package: { purl } })) });
  let response: Response;
  try {
    response = await fetch(`${url}/v1/querybatch`, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    console.log(`Known vulnerabilities were not checked: ${url} cannot be reached (${reasonOf(error)})`);
    return undefined;
  }
  if (!response.ok) throw new Error(`${url} answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

function report({ results }: Answer): void {
  const found = results.flatMap(({ vulns = [] }, index) => vulns.map(({ id }) => `${purls[index]}: https://osv.dev/vulnerability/${id}`));
  console.log(`${purls.length} bundled packages, ${found.length} known vulnerabilities`);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
