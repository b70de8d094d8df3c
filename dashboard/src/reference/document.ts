/** What the pages read of the OpenAPI document: its calls by area, their errors, and the schemas that it names. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: { readonly code: string; readonly message: string } }>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly deprecated?: boolean
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response>>
}

interface SecurityScheme {
  readonly type: string
  readonly in?: string
  readonly name?: string
  readonly description?: string
}

export interface OpenAPI {
  readonly info: { readonly description: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export interface Group {
  /** Of its page. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly calls: readonly Call[]
}

export interface ErrorRow {
  readonly status: string
  readonly code: string
  readonly message: string
}

/** The wire contract names this area after a plugin. */
const titles: Readonly<Record<string, string>> = { 'Open-api': 'OpenAPI document' }

const nameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The areas with their calls, in the order of the document. A call also has a tag of the wire contract, which is left out. */
export function groupsOf({ tags, paths }: OpenAPI): readonly Group[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags
    .map(({ name, description }) => {
      const title = titles[name] ?? name
      return { name: nameOf(title), title, description, calls: calls.filter(({ operation }) => operation.tags[0] === name) }
    })
    .filter((group) => group.calls.length > 0)
}

/** The name of a schema that is referred to; null for any other. */
export const schemaName = ({ $ref }: Schema): string | null => $ref?.split('/').at(-1) ?? null

/** The response itself, or the one of the components that it refers to. */
export const responseOf = ({ components }: OpenAPI, response: Response): Response =>
  (response.$ref === undefined ? undefined : components.responses[response.$ref.split('/').at(-1) ?? '']) ?? response

const errorsOf = (status: string, { content }: Response): ErrorRow[] =>
  Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => ({ status, ...value }))

/** The errors of the responses that calls share, each once. */
export function sharedErrors(document: OpenAPI): readonly ErrorRow[] {
  const responses = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => Object.entries(operation.responses))
    .filter(([, { $ref }]) => $ref !== undefined)
  const all = responses.flatMap(([status, response]) => errorsOf(status, responseOf(document, response)))
  return [...new Map(all.map((row) => [row.code, row])).values()].sort((one, other) => Number(one.status) - Number(other.status))
}

/** The errors of one call: its own, and those that it shares with others. */
export function errorsOfCall(document: OpenAPI, { responses }: Operation, sharedCodes: ReadonlySet<string>) {
  const all = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => errorsOf(status, responseOf(document, response)))
  return { own: all.filter(({ code }) => !sharedCodes.has(code)), shared: all.filter(({ code }) => sharedCodes.has(code)) }
}
