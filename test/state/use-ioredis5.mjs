// For its own process: every import of ioredis gives ioredis 5.
import { register } from 'node:module';

const hook = "export const resolve = (name, context, next) => next(name === 'ioredis' ? 'ioredis5' : name, context);";
register(`data:text/javascript,${encodeURIComponent(hook)}`);
