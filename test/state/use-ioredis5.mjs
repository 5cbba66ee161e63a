// For a process of its own: whoever imports ioredis gets ioredis 5.
import { register } from 'node:module';

const hook = "export const resolve = (name, context, next) => next(name === 'ioredis' ? 'ioredis5' : name, context);";
register(`data:text/javascript,${encodeURIComponent(hook)}`);
