/**
 * Google Gen AI with every action there is.
 *
 *   GEMINI_API_KEY=… SVC_AGENT_API_KEY=… node examples/google/ask.ts "What time is it in Tokyo?"
 */
import { GoogleGenAI } from '@google/genai';
import { svcTools } from 'svc-sdk/google';

const ai = new GoogleGenAI({});

const { text } = await ai.models.generateContent({
  model: process.env.GEMINI_MODEL ?? 'gemini-3.8-flash',
  contents: process.argv[2] ?? 'What time is it in Tokyo?',
  config: { tools: [svcTools()] },
});
console.log(text);
