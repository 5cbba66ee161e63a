import { usage } from '../failure.js';
import { isOn, type CommandAnswer, type Run } from '../run.js';
import { record } from '../record/write.js';
import { preview } from '../session/preview.js';
import { openSession, settled } from '../session/session.js';
import { contentText } from '../session/show.js';
import { targetOf } from '../target/target.js';

export async function run(run: Run): Promise<CommandAnswer> {
  const { target, words } = await targetOf(run);
  const [uri, ...more] = words;
  if (uri === undefined || more.length > 0)
    throw usage('expected one URI of a resource', 'waybill list TARGET shows the resources of a server.');
  const request = { method: 'resources/read' as const, params: { uri } };
  if (isOn(run, 'preview')) return preview(run, target, request);
  const session = await openSession(run, target);
  const result = await settled(session, session.client.readResource(request.params, session.request));
  record(session, request, result, run);
  run.about.language = session.waybill.languageOf(result);
  return {
    result,
    text: contentText(result.contents.map((one) => ('blob' in one ? { type: 'blob', mimeType: one.mimeType, data: one.blob } : one))),
  };
}
