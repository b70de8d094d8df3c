/** Avatars: the initials of a name on a hue of their own, below a picture if there is one. */
import { clsx } from 'clsx'
import { UserRound } from 'lucide-react'
import { useState } from 'react'

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase()
}

const hues = [
  'bg-hue-teal-soft text-hue-teal',
  'bg-hue-brass-soft text-hue-brass',
  'bg-hue-blue-soft text-hue-blue',
  'bg-hue-plum-soft text-hue-plum',
  'bg-hue-rose-soft text-hue-rose',
  'bg-hue-moss-soft text-hue-moss',
] as const

/** The same name has the same hue on every page. FNV-1a spreads names that differ in one letter. */
function hueOf(name: string): string {
  let hash = 0x811c9dc5
  for (const character of name.trim()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  // Its lowest bits depend on few letters.
  return hues[(hash >>> 16) % hues.length] ?? hues[0]
}

/** Covers the initials once it is loaded; they stay when it cannot be shown. */
function Picture({ address }: { readonly address: string }) {
  const [failed, setFailed] = useState<string>()
  if (failed === address) return null
  return (
    <img
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(address)}
      className="absolute inset-0 size-full object-cover"
    />
  )
}

interface AvatarProps {
  /** May be empty: then an icon stands for the user. */
  readonly name: string
  /** The address of a picture on this server; absent: none. */
  readonly picture?: string | undefined
  readonly isLarge?: boolean
  /** Of an organization or a team. */
  readonly isSquare?: boolean
}

/** The name stands next to it. */
export const Avatar = ({ name, picture, isLarge = false, isSquare = false }: AvatarProps) => {
  const initials = initialsOf(name)
  return (
    <span
      aria-hidden
      className={clsx(
        'relative grid shrink-0 place-content-center overflow-hidden font-semibold',
        isSquare ? 'rounded-control' : 'rounded-full',
        isLarge ? 'size-14 text-20' : 'size-7 text-12',
        initials === '' ? 'bg-fill text-muted' : hueOf(name),
      )}
    >
      {initials === '' && !isSquare ? <UserRound className={isLarge ? 'size-7' : 'size-4'} /> : initials}
      {picture === undefined ? null : <Picture address={picture} />}
    </span>
  )
}
