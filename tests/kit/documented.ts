/** Compares responses with the OpenAPI document, by an independent validator of JSON Schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export type JSONSchema = Readonly<Record<string, unknown>>

interface Media {
  readonly schema: JSONSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
type Content = Readonly<Record<string, Media>>
interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required: boolean
  readonly schema: JSONSchema
  readonly example?: unknown
}
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JSONSchema>>
    readonly responses: Readonly<Record<string, DocumentedResponse>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

export interface DocumentedCall {
  readonly method: string
  /** As in the document: `/callback/{id}`. */
  readonly path: string
  readonly operation: Operation
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  /** Parsed when it is JSON, else the text. */
  readonly body: unknown
}

/** Headers that a call has to declare; others belong to every response. */
const declaredHeaders = [
  'set-cookie',
  'x-total-count',
  'link',
  'content-disposition',
  'clear-site-data',
  'set-auth-token',
  'retry-after',
]

export const callsOf = (document: Document): DocumentedCall[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

export function createDocumentCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  // A package of CommonJS, whose default export is a member for TypeScript.
  ;(formats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new WeakMap<object, ValidateFunction>()
  /** @returns what is wrong with a value; null when it is valid */
  function invalid(schema: JSONSchema, value: unknown): string | null {
    let validate = compiled.get(schema)
    if (!validate) {
      validate = ajv.compile(withAbsoluteRefs(schema) as JSONSchema)
      compiled.set(schema, validate)
    }
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
  const findResponse = (operation: Operation, status: number): DocumentedResponse | undefined => {
    const found = operation.responses[status]
    return found && '$ref' in found ? document.components.responses[found.$ref.split('/').at(-1) ?? ''] : found
  }
  /** @returns what is different from the document; null when nothing is */
  function differs(call: DocumentedCall, { status, headers, body }: ReceivedResponse): string | null {
    const response = findResponse(call.operation, status)
    if (!response) return `the status ${status} is not documented`
    const isError = status >= 400
    const undeclared = declaredHeaders.find((name) => headers.has(name) && !Object.hasOwn(response.headers ?? {}, name))
    // A rejected call may clear the cookies of a session that has ended.
    if (undeclared && !(isError && undeclared === 'set-cookie')) return `the header ${undeclared} of ${status} is not documented`
    const type = headers.get('content-type')?.split(';', 1)[0] ?? ''
    const media = response.content?.[type]
    if (!media) return response.content ? `the type ${type} of ${status} is not documented` : null
    const wrong = invalid(media.schema, body)
    return wrong && `the body of ${status}: ${wrong}`
  }
  return { invalid, findResponse, differs }
}

/** So that each schema can be compiled alone. */
function withAbsoluteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAbsoluteRefs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string' ? [name, `document${member}`] : [name, withAbsoluteRefs(member)],
    ),
  )
}
