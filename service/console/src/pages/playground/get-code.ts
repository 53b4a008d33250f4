/** The setup of a conversation as a program: the same model, tools, words and limits. Keys come from the environment. */
import type { ConversationSetup } from './conversation/conversation';

interface SameProgram {
  label: string;
  language: 'ts' | 'py' | 'sh';
  code: string;
}

/** @param question the first message of the person */
export function programsOf(setup: ConversationSetup, question: string, serviceUrl: string): SameProgram[] {
  return [
    { label: 'TypeScript', language: 'ts', code: typescript(setup, question, serviceUrl) },
    { label: 'Python', language: 'py', code: python(setup, question, serviceUrl) },
    { label: 'curl', language: 'sh', code: curl(setup, question, serviceUrl) },
  ];
}

/** Where the page does not know the address of the model, that of OpenAI. */
function modelOf({ model }: ConversationSetup): { url: string; name: string } {
  const url = model.kind === 'own' ? model.url.trim().replace(/\/+$/, '') : 'https://api.openai.com/v1';
  return { url, name: model.kind === 'script' ? 'gpt-5-mini' : model.model };
}

function typescript(setup: ConversationSetup, question: string, serviceUrl: string): string {
  const { url, name } = modelOf(setup);
  const messages = [...systemOf(setup), { role: 'user', content: question }].map(
    ({ role, content }) => `  { role: '${role}', content: ${JSON.stringify(content)} },\n`,
  );
  const ask = setup.askBeforeDestructive
    ? `  // Called for the calls that rules of the key ask about; add a rule for destructive actions to the key.
  onApprovalRequired: async ({ action, payload }) => {
    console.log('Approve in the console:', action, payload);
  },
`
    : '';
  return `// npm install svc-sdk openai; set SVC_AGENT_API_KEY and MODEL_API_KEY
import OpenAI from 'openai';
import { Tools } from 'svc-sdk';

const openai = new OpenAI({ baseURL: ${JSON.stringify(url)}, apiKey: process.env.MODEL_API_KEY });
const tools = new Tools({
  baseUrl: ${JSON.stringify(serviceUrl)},
  maxPayment: ${JSON.stringify(setup.budget)},${setup.code ? '\n  code: true,' : ''}
${ask}});

const messages: OpenAI.ChatCompletionMessageParam[] = [
${messages.join('')}];
for (;;) {
  const completion = await openai.chat.completions.create({
    model: ${JSON.stringify(name)},
    messages,
    tools: await tools.getTools(),
  });
  const message = completion.choices[0]?.message;
  if (!message) throw new Error('The model said nothing');
  messages.push(message);
  const results = await tools.callTools(message.tool_calls);
  if (results.length === 0) {
    console.log(message.content);
    break;
  }
  messages.push(...results);
}
`;
}

function python(setup: ConversationSetup, question: string, serviceUrl: string): string {
  const { url, name } = modelOf(setup);
  const messages = [...systemOf(setup), { role: 'user', content: question }].map(
    // A text of JSON is a text of Python too.
    ({ role, content }) => `        {"role": "${role}", "content": ${JSON.stringify(content)}},\n`,
  );
  return `# pip install svc-sdk openai; set SVC_AGENT_API_KEY and MODEL_API_KEY
import asyncio
import os

from openai import AsyncOpenAI
from svc import Tools


async def main():
    openai = AsyncOpenAI(base_url=${JSON.stringify(url)}, api_key=os.environ["MODEL_API_KEY"])
    messages = [
${messages.join('')}    ]
    async with Tools(
        base_url=${JSON.stringify(serviceUrl)},
        max_payment=${JSON.stringify(setup.budget)},${setup.code ? '\n        code=True,' : ''}
    ) as tools:
        while True:
            completion = await openai.chat.completions.create(
                model=${JSON.stringify(name)},
                messages=messages,
                tools=await tools.get_tools(),
            )
            message = completion.choices[0].message
            messages.append(message)
            results = await tools.call_tools(message.tool_calls)
            if not results:
                break
            messages += results
    print(message.content)


asyncio.run(main())
`;
}

/** The two requests of a loop: it searches, then it calls. */
function curl(_setup: ConversationSetup, question: string, serviceUrl: string): string {
  return `# The two requests of the tools. The model writes the query and the payload.
curl -sS ${quoted(`${serviceUrl}/v1/search`)} \\
  -H "authorization: Bearer $SVC_AGENT_API_KEY" -H 'content-type: application/json' \\
  -d ${quoted(JSON.stringify({ query: question }))}
echo
curl -sS ${quoted(`${serviceUrl}/v1/invoke`)} \\
  -H "authorization: Bearer $SVC_AGENT_API_KEY" -H 'content-type: application/json' \\
  -d '{"action": "<an action of the answer>", "payload": {}}'
`;
}

function systemOf({ system }: ConversationSetup): { role: 'system'; content: string }[] {
  return system.trim() === '' ? [] : [{ role: 'system', content: system }];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
