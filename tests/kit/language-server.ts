/** Asks the language server of TypeScript what an editor shows, over the Language Server Protocol 3.17. */
import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

export interface Editor {
  /** Opens a file, whose text need not be stored. @returns the messages of its errors */
  open(path: string, text: string): Promise<string[]>
  /** @param offset of a name in the text that was opened @returns the text that is shown when the pointer rests on it */
  hover(path: string, text: string, offset: number): Promise<string>
  /** @returns the names that are proposed at an offset */
  complete(path: string, text: string, offset: number): Promise<string[]>
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: readonly unknown[] }
  readonly result?: unknown
}

/** @param folder of the project */
export async function startEditor(folder: string): Promise<Editor> {
  const server = spawn(tsc, ['--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: unknown) => void>()
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  let lastId = 0
  const request = <T>(method: string, params: object): Promise<T> =>
    new Promise((resolve) => {
      waiting.set(++lastId, resolve as (result: unknown) => void)
      send({ id: lastId, method, params })
    })
  server.stdout.on(
    'data',
    readMessages(({ id, method, params, result }) => {
      if (id === undefined) return
      // A request of the server: for settings, or to register for changes.
      if (method) send({ id, result: params?.items?.map(() => null) ?? null })
      else waiting.get(id)?.(result)
    }),
  )
  const rootUri = pathToFileURL(folder).href
  await request('initialize', { processId: process.pid, rootUri, workspaceFolders: [{ uri: rootUri, name: 'x' }], capabilities })
  send({ method: 'initialized', params: {} })
  const at = (path: string, text: string, offset: number) => ({
    textDocument: { uri: pathToFileURL(path).href },
    position: positionOf(text, offset),
  })
  return {
    open: async (path, text) => {
      const uri = pathToFileURL(path).href
      send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'typescript', version: 1, text } } })
      const report = await request<Report>('textDocument/diagnostic', { textDocument: { uri } })
      return report.items.filter(({ severity }) => severity === 1).map(({ message }) => message)
    },
    hover: async (...place) => (await request<Hover>('textDocument/hover', at(...place)))?.contents.value ?? '',
    complete: async (...place) =>
      (await request<Completions>('textDocument/completion', at(...place))).items.map(({ label }) => label),
    close: () => server.kill(),
  }
}

const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] }, diagnostic: {} } }
interface Report {
  readonly items: readonly { readonly severity: number; readonly message: string }[]
}
type Hover = { readonly contents: { readonly value: string } } | null
interface Completions {
  readonly items: readonly { readonly label: string }[]
}

function positionOf(text: string, offset: number) {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length - 1, character: offset - before.lastIndexOf('\n') - 1 }
}

/** Messages are preceded by a header with their length in bytes. */
function readMessages(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let buffer = Buffer.alloc(0)
  return (chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const header = buffer.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, Math.max(header, 0)).toString())?.[1])
      if (header === -1 || buffer.length < header + 4 + length) return
      const message: Message = JSON.parse(buffer.subarray(header + 4, header + 4 + length).toString())
      buffer = buffer.subarray(header + 4 + length)
      onMessage(message)
    }
  }
}
