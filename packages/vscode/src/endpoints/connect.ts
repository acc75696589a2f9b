import { createClient, type Log } from '@dragoman/openresponses-client';
import type { Logger } from '../log/logger.ts';
import type { Connect, ConnectOptions } from './endpoints.ts';

/** Connections of the client package, whose lines go into our log. */
export function connectWith(log: Logger): Connect {
  return {
    responses: (options) => createClient(clientOptions(options, log)),
  };
}

function clientOptions({ name, baseUrl, key, headers, connectTimeout, idleTimeout }: ConnectOptions, log: Logger) {
  const heard: Log = ({ level, message, data }) => log[level](`${name}: ${message}`, data);
  return { baseUrl, apiKey: key, headers, connectTimeout, idleTimeout, log: heard };
}
