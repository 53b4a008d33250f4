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
      dev: 'svc-sdk dev',
      start: 'node --env-file=.env toolkit.mjs',
      lint: 'svc-sdk lint toolkit.mjs',
    },
    dependencies: { 'svc-sdk': `^${version}` },
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

await toolkit.updateToolkit({ name: 'Greetings', description: 'Greetings for people, in several languages' });

const GREETINGS = { en: 'Hello', de: 'Hallo', es: 'Hola' };

toolkit.action(
  {
    action: 'greet',
    actionDescription: 'Greets a person by name in English, German or Spanish',
    payloadDescription: {
      name: { type: 'string', description: 'Name of the person', required: true },
      language: { type: 'string', description: 'Language of the greeting', enum: ['en', 'de', 'es'] },
    },
    annotations: { readOnly: true },
  },
  (ctx, { name, language = 'en' }) => ctx.result({ greeting: \`\${GREETINGS[language]}, \${name}!\` }),
);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => toolkit.stop({ timeoutMs: 10_000 }));

toolkit.ready.then(({ accepted }) => console.log(\`Serving \${accepted.join(', ')}\`), () => {});
await toolkit.run(); // until a signal; reconnects by itself
`;

const ENVIRONMENT = `# The service. "npm run dev" starts one here.
SVC_BASE_URL=http://127.0.0.1:8787
# The toolkit key, svc_toolkit_…: "npm run dev" prints one; of another service, its console or "npx svc-sdk keys create --kind toolkit --name greetings".
SVC_TOOLKIT_API_KEY=
`;

function readme(folder: string): string {
  return `# ${folder}

A toolkit for svc-sdk: agents find its actions and use them.

\`\`\`sh
npm install
npm run dev                  # in a terminal of its own: a service, and its keys
cp .env.example .env         # then put the toolkit key (svc_toolkit_…) in it
npm start                    # serves the toolkit
\`\`\`

Then use it as a model would, with the agent key (svc_agent_…) that \`npm run dev\` printed:

\`\`\`sh
export SVC_AGENT_API_KEY=svc_agent_…
npx svc-sdk search greet somebody
npx svc-sdk invoke hello__greet '{"name": "Ada"}'
\`\`\`

The id of an action begins with the name of the key: \`hello\` with the one of \`npm run dev\`.

| file | content |
| --- | --- |
| \`toolkit.mjs\` | the actions; each has a description for models, a payload description and a handler |
| \`.env\` | address and key; never in a commit |

\`npm run lint\` suggests how agents find the actions more easily. Start the program again elsewhere with the same key, and calls go to both.
`;
}
