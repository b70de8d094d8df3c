/** Modules in the documents that other tests have. */

/** `tests/quickstart/next.test.ts` compiles the pages with Next.js, which takes minutes to install. */
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}

declare module 'next/navigation' {
  export function redirect(path: string): never
}

/** Vue is not installed here: its templates need a compiler of their own. */
declare module 'vue' {
  export function ref<T>(value: T): { value: T }
}

/** `latchkey openapi` and openapi-typescript make it; `tests/clients/generated.test.ts` runs them. */
declare module '*/latchkey.d.ts' {
  export interface paths {
    '/sign-in/email': {
      post: {
        requestBody: { content: { 'application/json': { email: string; password: string } } }
        responses: {
          200: { content: { 'application/json': { user: { name: string } } } }
          401: { content: { 'application/json': { code: string; message: string } } }
        }
      }
    }
  }
}

/** It needs a container engine. Checked by hand with the types of version 12.2. */
declare module 'testcontainers' {
  interface Started {
    stop(): Promise<unknown>
  }
  export class GenericContainer {
    constructor(image: string)
    withEnvironment(variables: Record<string, string>): this
    withCopyContentToContainer(files: { content: string; target: string }[]): this
    withCommand(command: string[]): this
    withExposedPorts(...ports: { container: number; host: number }[]): this
    withWaitStrategy(strategy: object): this
    start(): Promise<Started>
  }
  export const Wait: { forHttp(path: string, port: number): object }
}
