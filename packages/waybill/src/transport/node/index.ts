export { nodeEdge, type NodeHandler } from './edge.js';
export { liftStream } from './lift.js';
