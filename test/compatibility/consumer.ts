/** A program that uses every entry of the packages. Only its types matter: old and new compilers read the emitted declarations with it. */
import * as time from '@waybill/time';
import * as english from '@waybill/time/en';
import { keys, type Issue } from 'waybill';
import { readRequest } from 'waybill/adapter';
import { nodeEdge } from 'waybill/adapter/node';
import { clientContext, type ClientContext } from 'waybill/client';
import { stdioIdentity } from 'waybill/client/node';
import * as hosts from 'waybill/hosts';
import { openTelemetry, type OpenTelemetry } from 'waybill/otel';
import { contextOf, serverContext } from 'waybill/server';
import { liftStream, nodeSeal } from 'waybill/server/node';
import { pseudoCatalog } from 'waybill/server/tools';
import { callTool, type CallOutcome } from 'waybill/testing';

const waybill = serverContext({ languages: ['en', 'fr'], time, onIssue: (issue: Issue) => issue.concern });

export const client: ClientContext = clientContext({ language: ['fr', 'en'] });
export const zoneOf = (ctx: object): string => contextOf(ctx).environment.timezone;
export const edge = waybill.http((request: Request) => Promise.resolve(new Response(request.url)));
export const call = (): Promise<CallOutcome> => callTool({ connect: () => undefined }, 'hello', {}, { language: 'fr' });
export const telemetry = (): OpenTelemetry => openTelemetry();
export const rest = [english, hosts, keys, liftStream, nodeEdge, nodeSeal, pseudoCatalog, readRequest, stdioIdentity];
