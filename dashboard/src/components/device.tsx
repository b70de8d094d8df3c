/** The devices of sessions in words and icons: of the own sessions, and for administrators of those of others. */
import { CircleHelp, Monitor, Smartphone, Tablet, Terminal, Tv } from 'lucide-react'
import type { Device } from '../../../src/lib/device.ts'
import { useFrameMessages } from '../messages/index.ts'
import { IconTile } from './layout.tsx'

const machines = { computer: 'computer', phone: 'phone', tablet: 'tablet' } as const

const icons: Record<Device['kind'], typeof Monitor> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  television: Tv,
  program: Terminal,
  unknown: CircleHelp,
}

interface DeviceText {
  readonly name: string
  /** The program and its system. */
  readonly detail: string
}

/** The words for the device of a session. */
export function useDeviceText(): (device: Device) => DeviceText {
  const t = useFrameMessages()
  const nameOf = (kind: Exclude<Device['kind'], 'program'>, system: Pick<Device, 'model' | 'system'>): string => {
    if (kind === 'television') return t('television')
    return kind === 'unknown' ? t('unknownDevice') : t(machines[kind], { model: system.model, system: system.system })
  }
  return ({ kind, model, program, system }) => {
    if (kind === 'program') return { name: program, detail: t('appOrCommandLine') }
    return { name: nameOf(kind, { model, system }), detail: system ? t('programOn', { program, system }) : program }
  }
}

/** @returns a function that says a name of the API, such as `Chrome 142 on Windows`, in the language of the page */
export function useDeviceName(): (name: string) => string {
  const t = useFrameMessages()
  return (name) => {
    const [program = name, system] = name.split(' on ')
    return system ? t('programOn', { program, system }) : name
  }
}

export const DeviceIcon = ({ kind }: { readonly kind: Device['kind'] }) => {
  const Icon = icons[kind]
  return (
    <IconTile>
      <Icon className="size-4" />
    </IconTile>
  )
}
