import { type DestinationStream, destination as openDestination, pino, stdTimeFunctions } from 'pino'
import type { Logger } from '../core/ports.ts'
import { printable, redact } from '../lib/redact.ts'

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** A file descriptor (1 is standard output), or something with `write`. */
  readonly destination: number | DestinationStream
  /** Lines for a terminal instead of JSON. */
  readonly pretty: boolean
  readonly colour?: boolean
}

/** Lines are written before the call returns, so that the last ones survive `process.exit` and most crashes. */
export async function createLog(options: LogOptions): Promise<Logger> {
  const sink =
    typeof options.destination === 'number' ? openDestination({ dest: options.destination, sync: true }) : options.destination
  const root = pino(
    {
      level: options.level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      // Errors are described by then; pino's own serializer for this name would take them apart again.
      serializers: { err: (described: unknown) => described },
    },
    options.pretty ? await prettyLines(sink, options.colour ?? false) : sink,
  )
  return toLogger(root)
}

/** pino passes the fields of a child past its formatters, so they are redacted here. */
const toLogger = (log: pino.Logger): Logger => ({
  debug: (fields, message) => log.debug(fields, message),
  info: (fields, message) => log.info(fields, message),
  warn: (fields, message) => log.warn(fields, message),
  error: (fields, message) => log.error(fields, message),
  child: (fields) => toLogger(log.child(redact(fields))),
})

const eightBitControls = /[\u007f-\u009f]/g

async function prettyLines(sink: DestinationStream, colorize: boolean): Promise<DestinationStream> {
  // Loaded only when it is used, because a daemon writes JSON.
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({
    colorize,
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss.l',
    errorLikeObjectKeys: ['err', 'error', 'cause'],
    messageFormat: (line, messageKey) => printable(String(line[messageKey] ?? '')),
  })
  return { write: (line) => sink.write((format(line) ?? '').replaceAll(eightBitControls, '')) }
}
