// The steps of a script, one function each. An answer is what the application sees, with its language.
import { conversation, jar } from './client.state.js';

const answered = (host, result) => ({ result, language: host.waybill.languageOf(result) ?? null });

/** A tool call with everything an application sees of it: progress and questions. */
async function call(host, { name, args = {}, answer }) {
  const [progress, asked] = [[], []];
  host.answer = answer;
  host.asked = asked;
  const onprogress = (one) => progress.push({ ...one, language: host.waybill.languageOf(one) ?? null });
  const params = { name, arguments: args };
  const result = await (host.options.sdk === 'v1'
    ? host.client.callTool(params, undefined, { onprogress })
    : host.client.callTool(params, { onprogress }));
  return { ...answered(host, result), ...(progress.length > 0 && { progress }), ...(asked.length > 0 && { asked }) };
}

/** An error as an answer, with the language of its text. */
export const failed = (host, error) => ({ error: errorOf(error), language: host.waybill.languageOf(error) ?? null });

export function errorOf(error) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, code, data } = error;
  return { name, message: messageOf(error), ...(code !== undefined && { code }), ...(data !== undefined && { data }) };
}

/** Includes the cause: "fetch failed" alone does not help. SDK v2 keeps the cause in `data`. */
function messageOf(error) {
  let text = error.message;
  for (let cause = causeOf(error); cause instanceof Error; cause = causeOf(cause)) {
    const why = cause.message || cause.code;
    if (why !== undefined && !text.includes(why)) text += `: ${why}`;
  }
  return text;
}

function causeOf(error) {
  return error.cause ?? error.data?.cause;
}

/** SDK v1 gives a list page by page, v2 as a whole. */
async function all(host, method, member) {
  const first = await host.client[method]();
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const page = await host.client[method]({ cursor });
    first[member].push(...page[member]);
    cursor = page.nextCursor;
  }
  delete first.nextCursor;
  return answered(host, first);
}

const step = (usage, run, needs = 'connection') => ({ usage, run, needs });

export const STEPS = {
  info: step('', (host) => ({
    result: {
      server: host.client.getServerVersion(),
      capabilities: host.client.getServerCapabilities(),
      instructions: host.client.getInstructions(),
    },
  })),
  list: step('', (host) => all(host, 'listTools', 'tools')),
  call: step(',"name":NAME,"args":{…},"answer":{…}', call),
  parallel: step(',"calls":[{"name":NAME,"args":{…}},…]', async (host, { calls }) => ({
    result: await Promise.all(calls.map((one) => call(host, one).catch((error) => failed(host, error)))),
  })),
  read: step(',"uri":URI', async (host, { uri }) => answered(host, await host.client.readResource({ uri }))),
  resources: step('', (host) => all(host, 'listResources', 'resources')),
  templates: step('', (host) => all(host, 'listResourceTemplates', 'resourceTemplates')),
  prompts: step('', (host) => all(host, 'listPrompts', 'prompts')),
  prompt: step(',"name":NAME,"args":{…}', async (host, { name, args }) =>
    answered(host, await host.client.getPrompt({ name, ...(args && { arguments: args }) })),
  ),
  update: step(
    ',"language":…,"timezone":…,"locale":…,"now":…,"location":{…},"capabilities":{…},"meta":{…},"trace":…',
    ({ waybill }, { op: _, timezone, locale, now, location, ...values }) => {
      const given = Object.entries({ timezone, locale, now, location }).filter(([, value]) => value !== undefined);
      waybill.update({ ...values, ...(given.length > 0 && { environment: Object.fromEntries(given) }) });
      return { result: {} };
    },
    'nothing',
  ),
  conversation: step(',"do":"begin"|"resume"|"fork"|"leave"|"end","id":ID', conversation, 'nothing'),
  jar: step(
    ',"do":"list"|"show"|"edit"|"export"|"clear"|"principals"|"flush","server":…,"scope":…,"conversation":ID,"name":…,"value":…',
    jar,
    'nothing',
  ),
};
