import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { serverContext } from 'waybill/server';
import { OPTIONS, seen } from './seen.mjs';

class Controller {
  showContext() {
    return { content: [{ type: 'text', text: seen() }] };
  }
}
// Decorators by hand: this file is plain JavaScript.
const method = Object.getOwnPropertyDescriptor(Controller.prototype, 'showContext');
Tool({ name: 'showContext', description: 'Tells what it sees' })(Controller.prototype, 'showContext', method);
Object.defineProperty(Controller.prototype, 'showContext', method);
McpController()(Controller);
class App {}
Module({ controllers: [Controller] })(App);

export async function serve() {
  const waybill = serverContext({ ...OPTIONS, ambient: true });
  const strategy = new McpStrategy({
    name: 'nest',
    version: '1.0.0',
    transports: [new StreamableHttpTransport()],
    serverMutator: (server) => waybill.attach(server),
  });
  const app = await NestFactory.create(App, { logger: ['error', 'fatal'] });
  app.use('/mcp', waybill.node());
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  return new URL('/mcp', await app.getUrl());
}
