/** Chooses a square of a picture: by dragging it, or by sliders, which the keyboard moves. */
import { type PointerEvent, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './index.ts'

/** In pixels: twice what the server keeps. */
const size = 336
const mostZoom = 4

/** Where the square is: how much larger than necessary, and where in the room that is left, from 0 to 1. */
interface Part {
  readonly zoom: number
  readonly x: number
  readonly y: number
}

interface Props {
  readonly picture: ImageBitmap
  readonly onClose: () => void
  /** Gets a data URL of some 40 KB at most. */
  readonly onChoose: (square: string) => void
}

/** The picture at this zoom, and how much of it is outside of the square. */
function measure({ width, height }: ImageBitmap, zoom: number) {
  const scale = Math.max(size / width, size / height) * zoom
  const shown = { width: width * scale, height: height * scale }
  return { ...shown, across: shown.width - size, down: shown.height - size }
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, { zoom, x, y }: Part): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { width, height, across, down } = measure(picture, zoom)
  context.clearRect(0, 0, size, size)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, -across * x, -down * y, width, height)
}

function encode(canvas: HTMLCanvasElement): string {
  const webp = canvas.toDataURL('image/webp', 0.9)
  if (webp.startsWith('data:image/webp')) return webp
  // Safari writes no WebP. JPEG has no transparent pixels: they would be black.
  const context = canvas.getContext('2d')
  if (context) {
    context.globalCompositeOperation = 'destination-over'
    context.fillStyle = '#fff'
    context.fillRect(0, 0, size, size)
  }
  return canvas.toDataURL('image/jpeg', 0.9)
}

const within = (value: number, from: number, to: number): number => Math.min(Math.max(value, from), to)

export function CropDialog({ picture, onClose, onChoose }: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [part, setPart] = useState<Part>({ zoom: 1, x: 0.5, y: 0.5 })
  const drag = ({ buttons, movementX, movementY, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    if (buttons === 0) return
    const ratio = size / currentTarget.clientWidth
    setPart((before) => {
      const { across, down } = measure(picture, before.zoom)
      const moved = (at: number, by: number, room: number) => (room > 0 ? within(at - (by * ratio) / room, 0, 1) : at)
      return { ...before, x: moved(before.x, movementX, across), y: moved(before.y, movementY, down) }
    })
  }
  const { across, down } = measure(picture, part.zoom)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cropPicture')}
      description={t('cropHint')}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {frame('cancel')}
          </Button>
          <Button variant="primary" onClick={() => canvas.current && onChoose(encode(canvas.current))}>
            {t('usePicture')}
          </Button>
        </>
      }
    >
      <canvas
        // Called after each render, and not an effect: the dialog mounts it after its own effects.
        ref={(node) => {
          canvas.current = node
          if (node) draw(node, picture, part)
        }}
        aria-hidden
        {...{ width: size, height: size }}
        className="mx-auto aspect-square w-full max-w-70 cursor-move touch-none rounded-full bg-sunken"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
      />
      <Slider label={t('cropZoom')} value={part.zoom} from={1} to={mostZoom} onChange={(zoom) => setPart({ ...part, zoom })} />
      <Slider label={t('cropAcross')} value={part.x} isDisabled={across < 1} onChange={(x) => setPart({ ...part, x })} />
      <Slider label={t('cropDown')} value={part.y} isDisabled={down < 1} onChange={(y) => setPart({ ...part, y })} />
    </Dialog>
  )
}

interface SliderProps {
  readonly label: string
  readonly value: number
  readonly from?: number
  readonly to?: number
  readonly isDisabled?: boolean
  readonly onChange: (value: number) => void
}

function Slider({ label, value, from = 0, to = 1, isDisabled = false, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-3 text-13">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={from}
        max={to}
        step={(to - from) / 50}
        value={value}
        disabled={isDisabled}
        className="block min-h-(--target) w-full cursor-pointer accent-(--accent) disabled:cursor-not-allowed"
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </div>
  )
}
