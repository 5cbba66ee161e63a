/** The self-check as a test of workerd (`workerd test`), which gives a module's `test` function no arguments that matter here. */
import { selfCheck } from './selfcheck.mjs';

export default {
  async test() {
    console.log(JSON.stringify(await selfCheck()));
  },
};
