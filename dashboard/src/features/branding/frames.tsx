/** A document in both themes, as it looks on a phone or on a desktop. */
import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { apiPath } from '../../api/calls.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

/** Pixels of the window that is imitated. */
const sizes = { phone: { width: 390, height: 700 }, desktop: { width: 1280, height: 760 } } as const
export type FrameSize = keyof typeof sizes

/** What would act, or load what a picture does not need. */
const unused = 'script, template, meta[http-equiv], link:not([rel=stylesheet])'

/** Documents that follow the theme of the system, such as emails, follow this one. */
const inTheme = (html: string, theme: 'light' | 'dark'): string =>
  html.replaceAll(/\(prefers-color-scheme: ?(light|dark)\)/g, (_, asked) => (asked === theme ? '(min-width:0)' : '(max-width:0)'))

/**
 * Puts a document into the frame. Its style sheet stays when it is the same, so that a change of a color does not flash.
 * The frame runs no script, by its policy and by its sandbox.
 */
function fill(frame: typeof globalThis, html: string, theme: 'light' | 'dark'): void {
  // By the parser of the frame: that of this page would apply the policy of this page.
  const [target, next] = [frame.document, new frame.DOMParser().parseFromString(inTheme(html, theme), 'text/html')]
  for (const node of next.querySelectorAll(unused)) node.remove()
  const sheetOf = (each: Document) => each.querySelector('link')?.getAttribute('href') ?? null
  if (sheetOf(next) !== null && sheetOf(next) === sheetOf(target)) {
    for (const style of target.head.querySelectorAll('style')) style.remove()
    target.head.append(...next.head.querySelectorAll('style'))
  } else target.head.replaceChildren(...next.head.children)
  const root = target.documentElement
  for (const name of ['lang', 'dir']) root.setAttribute(name, next.documentElement.getAttribute(name) ?? '')
  root.dataset.theme = theme
  target.body.replaceWith(next.body)
}

interface FrameProps {
  readonly html: string
  readonly theme: 'light' | 'dark'
  readonly size: FrameSize
  /** Of the document. */
  readonly title: string
  /** The shade of links; absent: that of the tokens. */
  readonly shade: string | undefined
}

function Frame({ html, theme, size, title, shade }: FrameProps) {
  const t = useMessages(messages)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [height, setHeight] = useState<number>(sizes[size].height)
  const { box, scale } = useScale(sizes[size].width)
  useEffect(() => {
    const inside = frame.current?.contentWindow as typeof globalThis | null | undefined
    if (!isReady || !inside) return
    fill(inside, html, theme)
    // It does not scroll, because it is inert: it is as high as its content.
    const measure = () => setHeight(Math.max(sizes[size].height, inside.document.body.scrollHeight))
    setHeight(sizes[size].height)
    const handle = requestAnimationFrame(measure)
    const observer = new ResizeObserver(measure)
    observer.observe(inside.document.body)
    return () => {
      cancelAnimationFrame(handle)
      observer.disconnect()
    }
  }, [html, theme, size, isReady])
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 flex items-center gap-2 text-13 text-muted">
        <span className="font-medium text-text">{t(theme)}</span>
        {shade === undefined ? null : (
          <span className="ms-auto inline-flex items-center gap-1.5">
            {t('linkShade')}
            <Swatch color={shade} />
            <span translate="no" className="font-mono text-12">
              {shade}
            </span>
          </span>
        )}
      </figcaption>
      <div ref={box} className="overflow-hidden rounded-card border border-border-strong bg-surface">
        <div ref={(element) => setStyles(element, { height: `${Math.ceil(height * scale)}px` })}>
          <iframe
            ref={(element) => {
              frame.current = element
              setStyles(element, {
                ...{ width: `${sizes[size].width}px`, height: `${height}px`, transform: `scale(${scale})` },
                // Of scroll bars and of what has no color.
                colorScheme: theme,
              })
            }}
            src={`${apiPath}/admin/preview-frame`}
            sandbox="allow-same-origin"
            title={title}
            inert
            tabIndex={-1}
            onLoad={() => setReady(true)}
            className="block origin-top-left"
          />
        </div>
      </div>
    </figure>
  )
}

/** By a script, because the policy of the page allows no style attributes. */
function setStyles(element: HTMLElement | null, styles: Partial<CSSStyleDeclaration>): void {
  if (element) Object.assign(element.style, styles)
}

const Swatch = ({ color }: { readonly color: string }) => (
  <span
    aria-hidden
    ref={(element) => setStyles(element, { backgroundColor: color })}
    className="size-3.5 rounded-full border border-border-strong"
  />
)

/** The scale in which a window of this width fits. */
function useScale(width: number) {
  const box = useRef<HTMLDivElement>(null)
  const [available, setAvailable] = useState(width)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setAvailable(entry?.contentRect.width ?? width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  return { box, scale: Math.min(1, available / width) }
}

interface FramesProps {
  readonly light: string
  readonly dark: string
  readonly accent: { readonly light: { readonly readable: string }; readonly dark: { readonly readable: string } } | null
  readonly size: FrameSize
  readonly title: string
}

export function Frames({ light, dark, accent, size, title }: FramesProps) {
  const t = useMessages(messages)
  const documents = [
    ['light', light],
    ['dark', dark],
  ] as const
  return (
    <div className={clsx('grid grid-cols-[minmax(0,1fr)] gap-5', size === 'phone' && 'card:grid-cols-2')}>
      {documents.map(([theme, html]) => (
        <Frame
          key={`${theme} ${size}`}
          {...{ html, theme, size }}
          title={t('frameTitle', { view: title, theme: t(theme) })}
          shade={accent?.[theme].readable}
        />
      ))}
    </div>
  )
}
