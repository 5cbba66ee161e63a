import type { CHAPTERS } from '../described/begin.js';
import type { Chapter } from './chapter.js';
import { cart } from './chapters/cart.js';
import { languages } from './chapters/languages.js';
import { month } from './chapters/month.js';
import { policy } from './chapters/policy.js';
import { question } from './chapters/question.js';
import { today } from './chapters/today.js';
import { trace } from './chapters/trace.js';

/** The most convincing first. */
export const chapters: Readonly<Record<(typeof CHAPTERS)[number], Chapter>> = { today, month, cart, languages, question, trace, policy };
