/** Texts of the pages of the API reference. What the document says is in English. */
import type { Format } from '../i18n/format.ts'

/** Of a length, a number or a list. */
export interface Bounds {
  readonly least: number | undefined
  readonly most: number | undefined
}

export const messages = {
  apiReference: 'API reference',
  openAPIDocument: 'OpenAPI document',
  overview: 'Overview',
  calls: 'Calls',
  searchCalls: 'Search calls',
  searchHint: 'Press / to search',
  noMatches: 'No call matches.',
  baseURL: 'Base URL',
  baseURLText: 'The paths of all calls start here.',
  credentials: 'Credentials',
  credentialsText: 'A call that needs a session accepts any of these. The access of each call says which ones.',
  sessionCookie: 'Session cookie',
  bearerToken: 'Bearer token',
  apiKey: 'API key',
  accepts: 'Accepts',
  errors: 'Errors',
  sharedErrorsText: 'An error has a code for programs and a message in English. Most calls can respond with these:',
  alsoErrors: 'Errors of most calls',
  objects: 'Objects',
  objectsText: 'Objects that several calls receive or return.',
  membersOf: ({ name }: { readonly name: string }) => `Members of ${name}`,
  linkTo: ({ title }: { readonly title: string }) => `Link to “${title}”`,
  deprecated: 'Deprecated',
  parameters: 'Parameters',
  inPath: 'in the path',
  inQuery: 'in the query',
  inHeader: 'a header',
  body: 'Body',
  form: 'Sent as a form.',
  bodyOptional: 'The body is optional.',
  noMembers: 'An object without members.',
  response: 'Response',
  pageResponse: 'A browser gets a page.',
  redirect: 'Redirect',
  headers: 'Headers',
  name: 'Name',
  meaning: 'Description',
  typeAndMeaning: 'Type and description',
  errorCode: 'Error',
  required: 'required',
  oneOf: 'One of',
  byDefault: 'Default',
  example: 'Example',
  pattern: 'Pattern',
  characters: ({ least, most }: Bounds, { number }: Format) =>
    least === undefined
      ? `At most ${number(most ?? 0)} characters`
      : most === undefined
        ? `At least ${number(least)} characters`
        : `${number(least)} to ${number(most)} characters`,
  items: ({ least, most }: Bounds, { number }: Format) =>
    least === undefined
      ? `At most ${number(most ?? 0)} items`
      : most === undefined
        ? `At least ${number(least)} items`
        : `${number(least)} to ${number(most)} items`,
  range: ({ least, most }: Bounds, { number }: Format) =>
    least === undefined
      ? `At most ${number(most ?? 0)}`
      : most === undefined
        ? `At least ${number(least)}`
        : `${number(least)} to ${number(most)}`,
  codeLanguage: 'Language of the code',
  copyCode: 'Copy',
  exampleResponse: 'Example response',
  tryIt: 'Try it',
  tryText: 'Sends the request from this browser, with its session. Changes are real.',
  sendRequest: 'Send request',
  requestFailed: 'The request could not be sent. Check your connection.',
  invalidJSON: 'The body is not valid JSON.',
  redirected: 'The response is a redirect, which a script cannot read.',
} as const
