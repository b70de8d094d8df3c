/** How entries of a navigation look. */
import { Building2, Download, LockKeyhole, MonitorSmartphone, Network, Trash2, User } from 'lucide-react'

export const entryIcons = {
  delete: Trash2,
  devices: MonitorSmartphone,
  download: Download,
  organization: Building2,
  password: LockKeyhole,
  providers: Network,
  user: User,
} as const
export type EntryIcon = keyof typeof entryIcons

export const entryLook =
  'relative flex min-h-(--target) items-center gap-2.5 rounded-control px-2 text-13 font-medium text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-surface aria-[current=page]:text-text aria-[current=page]:shadow-[0_0_0_1px_var(--border)] aria-[current=page]:before:absolute aria-[current=page]:before:-start-3 aria-[current=page]:before:h-4 aria-[current=page]:before:w-[5px] aria-[current=page]:before:rounded-e-sm aria-[current=page]:before:bg-brass aria-[current=page]:[&_svg]:text-accent'
