/**
 * Runs the files of the image as a container does, without an engine: a root that cannot be written, process 1, a user without
 * privileges, and no other files than Node.js and its libraries. Needs root and Linux.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'

/** The value of an instruction in the last stage of the Dockerfile; lines that go on are joined. */
export function instruction(dockerfile: string, name: string): string {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')).replaceAll(/\\\n\s*/g, ' ')
  return new RegExp(`^${name} (.*)$`, 'm').exec(last)?.[1] ?? ''
}

/** What the base image has that Latchkey uses: Node.js and the shared libraries that it names. */
async function addBase(root: string): Promise<void> {
  const copy = (from: string, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    copyFileSync(from, join(root, to))
  }
  copy(process.execPath, '/nodejs/bin/node')
  const { stdout } = await execa('ldd', [process.execPath])
  for (const [path] of stdout.matchAll(/\/\S+\.so\S*/g)) copy(path)
  for (const folder of ['dev', 'proc', 'tmp']) mkdirSync(join(root, folder), { recursive: true })
}

interface ContainerOptions {
  /** Where the build stage has put the files of the image. */
  readonly root: string
  readonly dockerfile: string
  /** Is copied to /srv/latchkey. */
  readonly project: string
  /** Variables in addition to those of the image. */
  readonly env: Readonly<Record<string, string>>
}

/** @returns a starter of commands: each runs as process 1 of its own process tree, on the network of this machine */
export async function prepareContainer({ root, dockerfile, project, env }: ContainerOptions) {
  await addBase(root)
  // Temporary folders are closed to other users.
  chmodSync(root, 0o755)
  cpSync(project, join(root, 'srv/latchkey'), { recursive: true })
  const [user = '', group = ''] = instruction(dockerfile, 'USER').split(':')
  await execa('chown', ['-R', `${user}:${group}`, join(root, 'srv')])
  const script = `${root}.sh`
  const variables = [
    ...instruction(dockerfile, 'ENV').split(' '),
    ...Object.entries(env).map(([name, value]) => `${name}='${value}'`),
  ]
  writeFileSync(
    script,
    `set -e
mount --bind '${root}' '${root}'
mount -t proc proc '${root}/proc'
mount --bind /dev '${root}/dev'
mount -o remount,bind,ro '${root}'
mount -t tmpfs -o mode=1777 tmpfs '${root}/tmp'
mount -t tmpfs -o uid=${user},gid=${group},mode=0700 tmpfs '${root}/srv/latchkey/.latchkey'
exec env -i ${variables.join(' ')} /usr/bin/setpriv --no-new-privs /usr/bin/unshare --root='${root}' \\
  --wd='${instruction(dockerfile, 'WORKDIR')}' --setuid ${user} --setgid ${group} "$@"
`,
  )
  return (words: readonly string[]) => {
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
    const child = execa('unshare', [...namespaces, '/bin/sh', script, ...words], { reject: false, stdin: 'ignore', all: true })
    /** To process 1, as an engine does. */
    const stop = (): void => {
      const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
      process.kill(Number(first), instruction(dockerfile, 'STOPSIGNAL') as NodeJS.Signals)
    }
    return { child, stop }
  }
}
