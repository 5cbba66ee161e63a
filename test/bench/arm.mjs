import { serveArm } from '../../bench/harness.mjs';

// An arm with a given cost per operation, so that the test does not depend on the machine.
const [, , cost] = process.argv;
serveArm((n) => {
  if (cost === 'fail') throw new Error('on purpose');
  if (cost === 'exit') process.exit(3);
  return n * Number(cost);
});
