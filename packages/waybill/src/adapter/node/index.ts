/** `waybill/adapter/node`: the HTTP edge of `waybill/adapter` for `node:http`. */
export { nodeEdge, type NodeHandler } from '../../transport/node/edge.js';
