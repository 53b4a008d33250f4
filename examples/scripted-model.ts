/**
 * A stand-in for a model, as a server that programs of the examples can ask.
 *
 *   node examples/scripted-model.ts     then set OPENAI_BASE_URL to the address that it prints
 */
import { startScriptedModel } from '../service/scripted-model/server.ts';

const { baseURL } = await startScriptedModel({ port: Number(process.env.PORT ?? 0) });
console.log(`A scripted model speaks at ${baseURL}`);
