/** Your model when there is a key for it, else the scripted model. */
import OpenAI from 'openai';
import { play, type Script } from '../../service/scripted-model/script.ts';
import { SCRIPTS } from '../../service/scripted-model/scripts.ts';
import { startScriptedModel } from '../../service/scripted-model/server.ts';

export interface DemoModel {
  client: OpenAI;
  model: string;
  /** Says to the reader who speaks. */
  introduction: string;
  close(): Promise<void>;
}

/** @param scripts of the scripted model */
export async function openModel(scripts: Script[] = SCRIPTS): Promise<DemoModel> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL: model = 'gpt-5-mini' } = process.env;
  if (OPENAI_API_KEY) {
    const where = OPENAI_BASE_URL ? ` at ${OPENAI_BASE_URL}` : '';
    return { client: new OpenAI(), model, introduction: `${model}${where}`, close: async () => {} };
  }
  const { baseURL, close } = await startScriptedModel({ speak: (conversation) => play(scripts, conversation) });
  return {
    client: new OpenAI({ baseURL, apiKey: 'none-needed' }),
    model: 'scripted-model',
    introduction: "scripted model (no OPENAI_API_KEY set): the answers' wording is scripted, every search and every call is real",
    close,
  };
}
