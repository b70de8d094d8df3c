/** How entries of a navigation look. */
import {
  Activity,
  Building2,
  ChartLine,
  Database,
  Download,
  Gauge,
  KeyRound,
  KeySquare,
  Layers,
  Link2,
  LockKeyhole,
  MonitorSmartphone,
  Network,
  Send,
  SlidersHorizontal,
  Trash2,
  User,
  Users,
} from 'lucide-react'

/** Entries stand in this order. */
export const entryIcons = {
  user: User,
  password: LockKeyhole,
  devices: MonitorSmartphone,
  keys: KeyRound,
  overview: ChartLine,
  users: Users,
  organization: Building2,
  events: Link2,
  limits: Gauge,
  signingKeys: KeySquare,
  providers: Network,
  mails: Send,
  jobs: Layers,
  configuration: SlidersHorizontal,
  migrations: Database,
  health: Activity,
  download: Download,
  delete: Trash2,
} as const
export type EntryIcon = keyof typeof entryIcons

const order = Object.keys(entryIcons)
/** @returns a negative number when the entry with the first icon stands before that with the other */
export const compareIcons = (one: EntryIcon, other: EntryIcon): number => order.indexOf(one) - order.indexOf(other)

export const entryLook =
  'relative flex min-h-(--target) items-center gap-2.5 rounded-control px-2 text-13 font-medium text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-surface aria-[current=page]:text-text aria-[current=page]:shadow-[0_0_0_1px_var(--border)] aria-[current=page]:before:absolute aria-[current=page]:before:-start-3 aria-[current=page]:before:h-4 aria-[current=page]:before:w-[5px] aria-[current=page]:before:rounded-e-sm aria-[current=page]:before:bg-brass aria-[current=page]:[&_svg]:text-accent'
