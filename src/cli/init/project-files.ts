/** The files of a new toolkit project. */
import { version } from '../../../package.json';

/** File name -> content. */
export function projectFiles(folder: string): Record<string, string> {
  return {
    'package.json': packageJson(folder),
    'toolkit.mjs': TOOLKIT,
    'README.md': readme(folder),
    '.env.example': ENVIRONMENT,
    '.gitignore': 'node_modules/\n.env\n.svc/\n',
  };
}

function packageJson(folder: string): string {
  const manifest = {
    name: packageName(folder),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.13' },
    scripts: {
      dev: 'svc-service dev',
      start: 'node --env-file-if-exists=.env toolkit.mjs',
      lint: 'svc-service lint toolkit.mjs',
    },
    dependencies: { 'svc-sdk': `^${version}` },
    devDependencies: { 'svc-service': `^${version}` },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** A name that npm accepts. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'my-toolkit' : name;
}

const TOOLKIT = `import { Toolkit } from 'svc-sdk';

const toolkit = new Toolkit(); // SVC_TOOLKIT_API_KEY, SVC_BASE_URL

await toolkit.updateToolkit({ name: 'Weather', description: 'Weather of today, by city' });

toolkit.action(
  {
    action: 'today',
    actionDescription: "Today's weather in a city: temperature and a word for the sky",
    payloadDescription: {
      city: { type: 'string', description: 'Name of the city', required: true },
      unit: { type: 'string', description: 'Unit of the temperature', enum: ['celsius', 'fahrenheit'] },
    },
    annotations: { readOnly: true },
  },
  (ctx, { city, unit = 'celsius' }) => ctx.result({ city, temperature: unit === 'celsius' ? 21 : 70, unit, sky: 'clear' }),
);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => toolkit.stop({ timeoutMs: 10_000 }));

toolkit.ready.then(({ accepted }) => console.log(\`Serving \${accepted.join(', ')}\`), () => {});
await toolkit.run(); // until a signal; reconnects by itself
`;

const ENVIRONMENT = `# For .env, where the toolkit runs beside another service than that of "npm run dev": its address.
SVC_BASE_URL=http://127.0.0.1:8787
# The toolkit key, svc_toolkit_…, from the console of that service or "npx svc-service keys create --kind toolkit --name weather".
SVC_TOOLKIT_API_KEY=
`;

function readme(folder: string): string {
  return `# ${folder}

A toolkit for svc-sdk: agents find its actions and use them.

\`\`\`sh
npm install
npm run dev                  # in a terminal of its own: a service, and its keys
source .svc/env              # the address and the keys that it wrote
npm start                    # serves the toolkit
\`\`\`

Then use it as a model would, in another terminal in this folder:

\`\`\`sh
npx svc-sdk search weather in a city
npx svc-sdk invoke weather__today '{"city": "Rome"}'
npx svc-service logs
\`\`\`

The id of an action begins with the name of the key: \`weather\` with the one of \`npm run dev\`.

| file | content |
| --- | --- |
| \`toolkit.mjs\` | the actions; each has a description for models, a payload description and a handler |
| \`.env\` | address and key of another service, from \`.env.example\`; never in a commit |

\`npm run lint\` suggests how agents find the actions more easily. Start the program again elsewhere with the same key, and calls go to both.
`;
}
