import { askingChecks } from './capabilities/ask.js';
import { matchingChecks } from './capabilities/match.js';
import { refusalChecks } from './capabilities/refuse.js';
import { apartChecks } from './environment/apart.js';
import { dayChecks } from './environment/days.js';
import { memberChecks } from './environment/members.js';
import { readingChecks } from './environment/read.js';
import { agreementChecks } from './language/agree.js';
import { choiceChecks } from './language/choose.js';
import { headChecks } from './language/heads.js';
import { reportChecks } from './language/report.js';
import { translationChecks } from './language/translate.js';
import { weighingChecks } from './language/weigh.js';
import { listChecks } from './protocol/lists.js';
import { requestChecks } from './protocol/requests.js';
import { resultChecks } from './protocol/results.js';
import type { ServerCheck } from './trial.js';
import { stateChecks } from './state.js';
import { traceChecks } from './trace.js';

/** Every check of a server, in the order of a report. */
export const serverChecks: readonly ServerCheck[] = [
  ...requestChecks,
  ...resultChecks,
  ...listChecks,
  ...weighingChecks,
  ...choiceChecks,
  ...reportChecks,
  ...translationChecks,
  ...agreementChecks,
  ...headChecks,
  ...readingChecks,
  ...memberChecks,
  ...dayChecks,
  ...apartChecks,
  ...stateChecks,
  ...traceChecks,
  ...refusalChecks,
  ...matchingChecks,
  ...askingChecks,
];
