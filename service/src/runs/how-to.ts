/** The id under which a program finds the how-to: the name of the model's tool. */
export const RUN_CODE = 'run_code';

/** The text of `tools.describe('run_code')`: what the definition of the tool has no room for. A model pays for it only when it asks. */
export const HOW_TO = `A program is the body of an async JavaScript function: await and return work at its top.

tools.search("what it should do") -> {ok, data: {actions: [{action, description, payloadSchema, result?}], more?}}
tools.describe("shop__get_order") -> {ok, data: {action, description, payloadSchema, resultSchema?, annotations?, payment?}}
tools.shop.get_order({id: 1})     -> {ok: true, data} or {ok: false, error: {code, message, retryable}}; never throws for a failed call
emit("text") or emit({type: "image", data: "<base64>", mimeType: "image/png"}) shows something beside the result
console.log(...) is part of the answer

Independent calls:  const orders = await Promise.all(ids.map((id) => tools.shop.get_order({id})));
Pages:              do { page = (await tools.shop.list({cursor})).data; ... cursor = page.next; } while (cursor);
A failed call:      if (!answer.ok) return {failed: answer.error.message};

- At most 100 calls, 10 of them at a time; result and log at most 20,000 characters each: return what you need, not what you read.
- Date does not advance, and Math.random gives the same numbers when the program starts again.
- A call that needs a person makes the run wait. It goes on by starting again: calls that ran give their first answers and do not run twice. So make the same calls for the same answers.
- There are no timers, files, network or imports.`;
