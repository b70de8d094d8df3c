/** Python, Go, PHP and Java of docs/server-side.md, as printed there, with tokens of a real daemon and forged ones. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLatchkey, type TestDaemon } from '../../src/testing/index.ts'
import { freePort } from '../kit/servers/index.ts'
import { keptFolder } from '../kit/servers/keeper.ts'

const page = readFileSync(new URL('../../docs/server-side.md', import.meta.url), 'utf8')
const folder = keptFolder('recipes')
const documentedOrigin = 'https://id.example.com'

interface Recipe {
  readonly file: string
  /** Reads tokens from its standard input, and prints the subject or `invalid` for each. */
  readonly driver: Readonly<Record<string, string>>
  /** What the command `tools` looks for. */
  readonly needs: string
  /** Succeeds if the tools and the libraries are installed. */
  readonly tools: string
  readonly run: string
}

const goJose =
  process.env.RECIPES_GO_JOSE ??
  globSync(join(process.env.GOMODCACHE ?? join(homedir(), 'go/pkg/mod'), 'github.com/go-jose/go-jose/v4@*')).at(-1)
const phpLoader =
  process.env.RECIPES_PHP_AUTOLOAD ??
  ['.config/composer', '.composer'].map((path) => join(homedir(), path, 'vendor/autoload.php')).find(existsSync)
const jars = globSync(['org/bitbucket/b_c/jose4j/**/*.jar', 'org/slf4j/slf4j-api/2*/*.jar'], {
  cwd: join(homedir(), '.m2/repository'),
}).map((path) => join(homedir(), '.m2/repository', path))

const recipes: Readonly<Record<string, Recipe>> = {
  python: {
    file: 'recipe.py',
    driver: {
      'main.py': `import sys, jwt
from recipe import verify
for line in sys.stdin:
    try: print(verify(line.strip())["sub"])
    except (jwt.InvalidTokenError, jwt.PyJWKClientError): print("invalid")
`,
    },
    needs: 'PyJWT with cryptography',
    // The first one may be a build of its own, without the packages of the system.
    tools:
      'for python in python3 /usr/bin/python3; do "$python" -c "import jwt, cryptography" && ln -sf "$(command -v "$python")" python && exit; done; exit 1',
    run: './python main.py',
  },
  go: {
    file: 'auth/recipe.go',
    driver: {
      'go.mod': `module recipe

go 1.24

require github.com/go-jose/go-jose/v4 v4.1.4
replace github.com/go-jose/go-jose/v4 => ${goJose}
`,
      'main.go': `package main

import ("bufio"; "errors"; "fmt"; "os"; "recipe/auth")

func main() {
	var verifier auth.Verifier
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		subject, err := verifier.Verify(lines.Text())
		if errors.Is(err, auth.ErrInvalid) { subject = "invalid" } else if err != nil { panic(err) }
		fmt.Println(subject)
	}
}
`,
    },
    needs: 'Go 1.24, and go-jose 4 in the module cache or in the folder RECIPES_GO_JOSE',
    // An older Go fails to read the go.mod of the library.
    tools: `cd '${goJose}' && GOTOOLCHAIN=local go list ./jwt`,
    run: 'GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod go run .',
  },
  php: {
    file: 'recipe.php',
    driver: {
      'main.php': `<?php
require '${phpLoader}';
require 'recipe.php';
while (($line = fgets(STDIN)) !== false) {
    try { echo verify(trim($line), 'keys.json'), "\\n"; }
    catch (UnexpectedValueException) { echo "invalid\\n"; }
}
`,
    },
    needs: 'PHP with sodium, and firebase/php-jwt 7 in the global Composer folder or in the file RECIPES_PHP_AUTOLOAD',
    tools: `php --ri sodium && php -r 'require "${phpLoader}"; exit(class_exists("Firebase\\\\JWT\\\\JWT") ? 0 : 1);'`,
    run: 'php main.php',
  },
  java: {
    file: 'Tokens.java',
    driver: {
      'Main.java': `import java.util.Scanner;
final class Main {
  public static void main(String[] args) {
    Tokens tokens = new Tokens();
    for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
      String text = lines.nextLine();
      try { System.out.println(tokens.verify(text)); }
      catch (Exception error) { System.out.println("invalid"); }
    }
  }
}
`,
    },
    needs: 'a JDK, with jose4j and slf4j-api in the local Maven repository',
    tools: `javac -version && test ${jars.length} -gt 1`,
    run: `javac -cp '${jars.join(':')}' *.java && java -cp '.:${jars.join(':')}' Main`,
  },
}

let latchkey: TestDaemon
let tokens: Readonly<Record<string, string>>
let origin: string
/** Publishes the keys of the daemon, and one with which this test signs what the daemon does not. */
const keySet = { keys: [] as unknown[] }
const server = createServer((_, response) => void response.end(JSON.stringify(keySet)))

beforeAll(async () => {
  origin = `http://localhost:${await freePort()}`
  await new Promise<void>((resolve) => void server.listen(Number(new URL(origin).port), 'localhost', resolve))
  latchkey = await startLatchkey({ config: { jwt: { jwt: { issuer: origin, audience: origin } } }, pages: false })
  const { headers } = await latchkey.signIn(await latchkey.createUser())
  const { token } = JSON.parse(await (await fetch(`${latchkey.baseURL}/token`, { headers })).text())
  const { keys } = JSON.parse(await (await fetch(`${latchkey.baseURL}/jwks`)).text())
  tokens = { daemon: token, ...(await forge(keys)) }
})
afterAll(async () => {
  server.close()
  await latchkey.close()
})

async function forge(published: readonly { kid: string; x: string }[]): Promise<Record<string, string>> {
  const [own, other] = [await generateKeyPair('EdDSA'), await generateKeyPair('EdDSA')]
  keySet.keys = [...published, { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'EdDSA', use: 'sig' }]
  const now = Math.floor(Date.now() / 1000)
  const valid = { iss: origin, aud: origin, sub: 'user', exp: now + 600 }
  const sign = (claims: JWTPayload, { kid = 'own', key = own.privateKey } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key)
  const [{ kid, x } = { kid: '', x: '' }] = published
  const shared = new SignJWT(valid).setProtectedHeader({ alg: 'HS256', kid })
  const { exp: _, ...endless } = valid
  return {
    own: await sign(valid),
    expired: await sign({ ...valid, exp: now - 120 }),
    endless: await sign(endless),
    issuer: await sign({ ...valid, iss: 'https://other.example.com' }),
    audience: await sign({ ...valid, aud: ['https://other.example.com'] }),
    signature: await sign(valid, { kid, key: other.privateKey }),
    unknown: await sign(valid, { kid: 'unknown' }),
    none: new UnsecuredJWT(valid).encode(),
    shared: await shared.sign(Buffer.from(x, 'base64url')),
    malformed: 'x',
  }
}

test.each(Object.entries(recipes))('%s accepts valid tokens only', async (language, recipe) => {
  const { file, driver, needs, tools, run } = recipe
  const cwd = join(folder, language)
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  const shell = (command: string, input = '') => execa('bash', ['-c', command], { cwd, input, reject: false })
  if ((await shell(tools)).exitCode !== 0) return console.log(`SKIPPED: the recipe for ${language}. It needs ${needs}`)
  const [, text = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page.slice(page.indexOf('\n## Python'))) ?? []
  for (const [name, content] of Object.entries({ [file]: text.replaceAll(documentedOrigin, origin), ...driver }))
    writeFileSync(join(cwd, name), content)
  const { stdout, stderr } = await shell(run, `${Object.values(tokens).join('\n')}\n`)
  const results = stdout.split('\n')
  const [, daemon = ''] = /\.(.*)\./.exec(tokens.daemon ?? '') ?? []
  const { sub } = JSON.parse(Buffer.from(daemon, 'base64url').toString())
  expect(Object.fromEntries(Object.keys(tokens).map((name, index) => [name, results[index]])), stderr).toEqual({
    ...Object.fromEntries(Object.keys(tokens).map((name) => [name, 'invalid'])),
    ...{ daemon: sub, own: 'user' },
  })
})
