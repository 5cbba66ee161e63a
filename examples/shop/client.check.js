// Checks a step before it runs: a script ends at its first mistake.
const text = (value) => typeof value === 'string' && value !== '';
const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each action of a jar or a conversation, and the members it needs. */
const JAR = { principals: [], list: [], show: ['server'], edit: ['server', 'name', 'value'], export: [], clear: [], flush: [] };
const CONVERSATION = { begin: [], resume: ['id'], fork: [], leave: [], end: [] };

function call({ name, args, answer }, at = '') {
  if (!text(name)) return `${at}name: expected the name of a tool`;
  if (args !== undefined && !object(args)) return `${at}args: expected an object`;
  return answer === undefined || object(answer) ? undefined : `${at}answer: expected an object`;
}

/** A misspelt member would mean another step, such as clearing the whole jar. */
function way(step, ways, preset, members) {
  const { do: what = preset } = step;
  if (!text(what) || !Object.hasOwn(ways, what)) return `do: expected one of ${Object.keys(ways).join(', ')}`;
  const missing = ways[what].find((name) => step[name] === undefined);
  if (missing !== undefined) return `${missing}: is missing; "${what}" needs ${ways[what].join(', ')}`;
  for (const name of Object.keys(step)) if (!['op', 'do', ...members].includes(name)) return `${name}: is not a member of this step`;
  const wrong = members.find((name) => name !== 'value' && step[name] !== undefined && !text(step[name]));
  return wrong && `${wrong}: expected a text that is not empty`;
}

const CHECKS = {
  call: (step) => call(step),
  parallel({ calls }) {
    if (!Array.isArray(calls)) return 'calls: expected a list of calls';
    for (const [at, one] of calls.entries()) {
      const problem = object(one) ? call(one, `calls[${at}].`) : `calls[${at}]: expected an object`;
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  read: ({ uri }) => (text(uri) ? undefined : 'uri: expected the URI of a resource'),
  prompt: ({ name }) => (text(name) ? undefined : 'name: expected the name of a prompt'),
  conversation(step, host) {
    const problem = way(step, CONVERSATION, 'begin', ['id']);
    if (problem !== undefined) return problem;
    return host.conversation === undefined && ['fork', 'end'].includes(step.do) ? `do: there is no conversation to ${step.do}` : undefined;
  },
  jar(step) {
    const { scope } = step;
    if (scope !== undefined && scope !== 'session' && scope !== 'server') return 'scope: expected session or server';
    const problem = way(step, JAR, 'export', ['server', 'name', 'value', 'scope', 'conversation']);
    if (problem !== undefined) return problem;
    return step.do === 'edit' && scope === 'session' && step.conversation === undefined
      ? 'conversation: is missing; session scope needs it'
      : undefined;
  },
};

/** Returns what is wrong with a step, or nothing. */
export function problemOf(step, host) {
  const problem = Object.hasOwn(CHECKS, step.op) ? CHECKS[step.op](step, host) : undefined;
  return problem && `${step.op}: ${problem}`;
}
