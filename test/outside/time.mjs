// The function an outside collection of date cases asks for, on the built package.
export { resolveRange } from 'waybill/time';
