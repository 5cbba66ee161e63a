/** `contextOf(ctx).error()`: a protocol error for a handler to throw. */
import type { JsonObject } from '../../wire/json.js';
import { HandlerError } from '../handlerError.js';
import type { ServerPart } from '../part.js';

export const error: ServerPart = {
  name: 'error',
  provides: {
    error:
      ({ answer }) =>
      (code: number, message: string, data?: JsonObject) => {
        if (!Number.isSafeInteger(code)) throw new TypeError('error: expected an integer as code');
        return answer.refusal.byHandler(new HandlerError(code, message, data));
      },
  },
};
