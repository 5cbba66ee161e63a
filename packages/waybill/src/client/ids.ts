export { IdPool, type Random } from '../transport/index.js';
