import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** File with the local network's CA certificates, which the image does not contain. */
const CERTIFICATES = process.env['NODE_EXTRA_CA_CERTS']

/**
 * Creates the file system of the `node:24-bookworm-slim` image: a minimal Debian, Node with npm, and the `node` user.
 * Node comes from the `node` npm package.
 */
export function createNodeImage(folder: string, scratch: string): void {
  run('debootstrap', ['--variant=minbase', 'bookworm', folder, 'http://deb.debian.org/debian'])
  const node = join(scratch, 'node')
  mkdirSync(node)
  writeFileSync(join(node, 'package.json'), '{"private": true, "allowScripts": {"node": true}}\n')
  run('npm', ['install', '--prefix', node, 'node@24'])
  cpSync(join(node, 'node_modules/node/bin/node'), join(folder, 'usr/local/bin/node'), { dereference: true })
  run('npm', ['install', '--global', '--prefix', join(folder, 'usr/local'), 'npm@11'])
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'), { dereference: true })
  run('chroot', [folder, 'useradd', '--uid', '1000', '--user-group', '--create-home', '--shell', '/bin/bash', 'node'])
}

/**
 * Runs a shell command in the file system as root, as `RUN` does. `mounts` maps mount points in the file system to
 * folders outside it.
 */
export function runIn(
  root: string,
  command: string,
  options: { cwd: string; env: Readonly<Record<string, string>>; mounts?: Readonly<Record<string, string>> },
): void {
  const certificates = join(root, 'tmp/certificates.pem')
  if (CERTIFICATES) cpSync(CERTIFICATES, certificates, { dereference: true })
  const trust = { NODE_EXTRA_CA_CERTS: '/tmp/certificates.pem', npm_config_cafile: '/tmp/certificates.pem' }
  const env = { ...options.env, HOME: '/root', ...(CERTIFICATES && trust) }
  const mounts = Object.entries(options.mounts ?? {}).map(([path, source]) => {
    mkdirSync(join(root, path), { recursive: true })
    return `mount --bind ${quote(source)} ${quote(join(root, path))}`
  })
  const script = [
    ...kernelMounts(root),
    ...mounts,
    `exec chroot ${quote(root)} env --chdir=${quote(options.cwd)} /bin/sh -c ${quote(command)}`,
  ]
  execFileSync('unshare', ['--mount', 'sh', '-ec', script.join('\n')], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (CERTIFICATES) execFileSync('rm', [certificates])
}

/**
 * Starts a program as `docker run --read-only --cap-drop=ALL --security-opt=no-new-privileges --network=none
 * --tmpfs=/tmp` does. The returned child process is the program itself. Only `/tmp` and `volume` are writable.
 */
export function startIn(
  root: string,
  command: readonly string[],
  options: { cwd: string; user: string; volume: string; env: Readonly<Record<string, string>> },
): ChildProcess {
  const volume = quote(join(root, options.volume))
  const script = [
    'ip link set lo up',
    `mount --bind ${quote(root)} ${quote(root)}`,
    `mount --bind ${volume} ${volume}`,
    ...kernelMounts(root),
    `mount -t tmpfs tmpfs ${quote(join(root, 'tmp'))}`,
    `mount -o remount,bind,ro ${quote(root)}`,
    inside(root, command, options),
  ]
  const args = ['--mount', '--net', 'sh', '-ec', script.join('\n')]
  return spawn('unshare', args, { env: options.env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs a program in the namespaces of process `pid`, as `docker exec` does, and returns its exit code. */
export async function execBeside(
  pid: number,
  root: string,
  command: readonly string[],
  options: { cwd: string; user: string; env: Readonly<Record<string, string>> },
): Promise<number | null> {
  const args = ['--target', String(pid), '--mount', '--net', 'sh', '-ec', inside(root, command, options)]
  const child = spawn('nsenter', args, { env: options.env, stdio: 'ignore' })
  return await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve))
}

function inside(root: string, command: readonly string[], { cwd, user }: { cwd: string; user: string }): string {
  const [uid, gid] = user.split(':')
  const identity = `setpriv --reuid=${uid} --regid=${gid} --clear-groups --bounding-set=-all --no-new-privs`
  return `exec chroot ${quote(root)} env --chdir=${quote(cwd)} ${identity} ${command.map(quote).join(' ')}`
}

const kernelMounts = (root: string): string[] => [
  `mount --rbind /proc ${quote(join(root, 'proc'))}`,
  `mount --rbind /dev ${quote(join(root, 'dev'))}`,
]

/** Copies the build context: the files in a folder that its `.dockerignore` does not exclude. */
export function copyContext(from: string, to: string): void {
  const patterns = readFileSync(join(from, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  for (const entry of globSync('{*,.*}', { cwd: from, exclude: patterns }))
    cpSync(join(from, entry), join(to, entry), { recursive: true })
}

const run = (command: string, args: readonly string[]): void =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
