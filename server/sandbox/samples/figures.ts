import { setImmediate } from 'node:timers/promises'
import { box, Canvas, type Colour, ellipse, mix, polygon, roundedBox, type Shape, stroke } from './canvas.ts'

/** Names for the inks of a picture. */
type Tone = 'paper' | 'shadow' | 'body' | 'dark' | 'light' | 'frame'

type Layer = readonly [Shape, Tone]

const FLOOR: Layer = [ellipse(300, 502, 250, 18), 'shadow']

/** The figures of things, each as shapes that lie over each other. They stand at 500. */
const figures = {
  sofa: [
    [roundedBox(40)(70, 250, 460, 160), 'dark'],
    [roundedBox(24)(110, 350, 380, 90), 'body'],
    [box(298, 350, 4, 90), 'dark'],
    [roundedBox(34)(50, 320, 80, 140), 'body'],
    [roundedBox(34)(470, 320, 80, 140), 'body'],
    [box(90, 460, 16, 40), 'frame'],
    [box(494, 460, 16, 40), 'frame'],
    [roundedBox(16)(150, 300, 90, 70), 'light'],
  ],
  armchair: [
    [roundedBox(60)(180, 190, 240, 240), 'dark'],
    [roundedBox(24)(200, 360, 200, 70), 'body'],
    [roundedBox(30)(150, 320, 64, 130), 'body'],
    [roundedBox(30)(386, 320, 64, 130), 'body'],
    [stroke([190, 450], [170, 500], 16), 'frame'],
    [stroke([410, 450], [430, 500], 16), 'frame'],
  ],
  table: [
    [roundedBox(10)(80, 290, 440, 34), 'body'],
    [roundedBox(4)(80, 312, 440, 12), 'dark'],
    [stroke([130, 324], [100, 500], 20), 'frame'],
    [stroke([470, 324], [500, 500], 20), 'frame'],
    [stroke([200, 324], [190, 470], 14), 'dark'],
    [stroke([400, 324], [410, 470], 14), 'dark'],
    [ellipse(300, 282, 46, 12), 'light'],
  ],
  chair: [
    [roundedBox(10)(210, 110, 22, 220), 'frame'],
    [roundedBox(10)(368, 110, 22, 220), 'frame'],
    [roundedBox(14)(220, 130, 160, 40), 'body'],
    [roundedBox(10)(220, 200, 160, 24), 'body'],
    [roundedBox(18)(180, 310, 240, 44), 'body'],
    [roundedBox(8)(180, 336, 240, 18), 'dark'],
    [stroke([206, 354], [186, 500], 20), 'frame'],
    [stroke([394, 354], [414, 500], 20), 'frame'],
  ],
  rug: [
    [polygon([140, 240], [460, 240], [560, 460], [40, 460]), 'body'],
    [polygon([162, 262], [438, 262], [520, 438], [80, 438]), 'light'],
    [polygon([184, 284], [416, 284], [480, 416], [120, 416]), 'body'],
    [polygon([300, 300], [390, 350], [300, 402], [210, 350]), 'dark'],
    [polygon([300, 322], [350, 350], [300, 380], [250, 350]), 'light'],
  ],
  cushion: [
    [roundedBox(70)(130, 170, 340, 320), 'dark'],
    [roundedBox(64)(142, 178, 316, 300), 'body'],
    [stroke([180, 190], [180, 466], 12), 'light'],
    [stroke([240, 180], [240, 476], 12), 'light'],
    [stroke([360, 180], [360, 476], 12), 'light'],
    [stroke([420, 190], [420, 466], 12), 'light'],
    [ellipse(300, 328, 12, 12), 'frame'],
  ],
  cup: [
    [ellipse(430, 340, 76, 84), 'body'],
    [ellipse(430, 340, 46, 54), 'paper'],
    [polygon([160, 230], [440, 230], [408, 480], [192, 480]), 'body'],
    [ellipse(300, 480, 108, 20), 'body'],
    [polygon([160, 230], [250, 230], [250, 490], [192, 480]), 'light'],
    [ellipse(300, 230, 140, 34), 'dark'],
    [ellipse(300, 236, 118, 24), 'frame'],
  ],
  bowl: [
    [ellipse(300, 300, 220, 180), 'body'],
    [box(0, 0, 600, 300), 'paper'],
    [roundedBox(8)(240, 470, 120, 26), 'dark'],
    [ellipse(300, 300, 220, 50), 'dark'],
    [ellipse(300, 306, 196, 38), 'light'],
  ],
  plate: [
    [ellipse(300, 330, 230, 170), 'dark'],
    [ellipse(300, 320, 230, 170), 'body'],
    [ellipse(300, 322, 190, 138), 'light'],
    [ellipse(300, 326, 136, 96), 'body'],
  ],
  teapot: [
    [ellipse(450, 350, 80, 90), 'dark'],
    [ellipse(450, 350, 50, 58), 'paper'],
    [polygon([60, 250], [110, 240], [220, 400], [180, 440]), 'body'],
    [ellipse(300, 370, 160, 130), 'body'],
    [ellipse(260, 340, 60, 70), 'light'],
    [ellipse(300, 256, 90, 22), 'dark'],
    [ellipse(300, 230, 20, 20), 'frame'],
  ],
  glass: [
    [polygon([190, 130], [410, 130], [380, 500], [220, 500]), 'light'],
    [polygon([203, 270], [397, 270], [380, 500], [220, 500]), 'body'],
    [ellipse(300, 270, 97, 16), 'dark'],
    [polygon([226, 150], [246, 150], [256, 480], [240, 480]), 'paper'],
    [ellipse(300, 130, 110, 18), 'dark'],
    [ellipse(300, 132, 98, 13), 'paper'],
  ],
  jar: [
    [roundedBox(50)(190, 170, 220, 330), 'body'],
    [roundedBox(20)(210, 190, 40, 290), 'light'],
    [roundedBox(14)(206, 130, 188, 56), 'frame'],
    [roundedBox(8)(250, 290, 130, 100), 'paper'],
    [box(270, 316, 90, 10), 'dark'],
    [box(270, 346, 60, 10), 'dark'],
  ],
  pan: [
    [stroke([400, 300], [570, 250], 30), 'frame'],
    [ellipse(260, 360, 200, 110), 'dark'],
    [ellipse(260, 340, 200, 110), 'body'],
    [ellipse(260, 342, 170, 88), 'dark'],
    [ellipse(230, 324, 90, 36), 'body'],
  ],
  pot: [
    [roundedBox(14)(90, 290, 420, 30), 'frame'],
    [roundedBox(40)(140, 240, 320, 240), 'body'],
    [roundedBox(18)(160, 262, 40, 190), 'light'],
    [ellipse(300, 240, 172, 40), 'dark'],
    [roundedBox(8)(128, 232, 344, 20), 'dark'],
    [ellipse(300, 190, 24, 20), 'frame'],
  ],
  knife: [
    [polygon([80, 420], [380, 250], [420, 300], [180, 420]), 'light'],
    [polygon([80, 420], [400, 276], [420, 300], [180, 420]), 'body'],
    [stroke([392, 286], [540, 190], 54), 'frame'],
    [ellipse(436, 258, 8, 8), 'paper'],
    [ellipse(490, 222, 8, 8), 'paper'],
  ],
  bed: [
    [roundedBox(30)(70, 180, 460, 180), 'frame'],
    [roundedBox(30)(110, 260, 170, 100), 'light'],
    [roundedBox(30)(320, 260, 170, 100), 'light'],
    [roundedBox(30)(70, 320, 460, 150), 'body'],
    [roundedBox(20)(70, 320, 460, 44), 'paper'],
    [stroke([200, 364], [180, 470], 8), 'dark'],
    [stroke([400, 364], [420, 470], 8), 'dark'],
    [box(84, 470, 24, 30), 'frame'],
    [box(492, 470, 24, 30), 'frame'],
  ],
  folded: [
    [roundedBox(40)(120, 400, 360, 90), 'dark'],
    [roundedBox(40)(120, 320, 360, 90), 'body'],
    [roundedBox(40)(120, 240, 360, 90), 'light'],
    [box(200, 240, 40, 90), 'body'],
    [box(260, 240, 16, 90), 'body'],
    [roundedBox(5)(120, 276, 180, 10), 'dark'],
    [roundedBox(5)(120, 358, 200, 10), 'dark'],
  ],
  towel: [
    [roundedBox(8)(90, 130, 420, 18), 'frame'],
    [roundedBox(10)(170, 136, 260, 350), 'body'],
    [box(170, 400, 260, 20), 'light'],
    [box(170, 434, 260, 12), 'light'],
    [box(170, 136, 80, 280), 'dark'],
  ],
  soap: [
    [ellipse(300, 450, 210, 40), 'frame'],
    [roundedBox(60)(130, 290, 340, 150), 'dark'],
    [roundedBox(60)(130, 270, 340, 140), 'body'],
    [roundedBox(18)(200, 316, 200, 44), 'light'],
    [ellipse(430, 220, 30, 30), 'light'],
    [ellipse(470, 160, 18, 18), 'light'],
  ],
  bottle: [
    [roundedBox(34)(220, 250, 160, 250), 'body'],
    [box(270, 160, 60, 110), 'body'],
    [roundedBox(10)(236, 270, 24, 210), 'light'],
    [roundedBox(10)(260, 120, 80, 46), 'frame'],
    [box(220, 340, 160, 90), 'paper'],
    [box(250, 366, 100, 10), 'dark'],
    [box(270, 392, 60, 10), 'dark'],
  ],
  floorLamp: [
    [box(292, 180, 16, 310), 'frame'],
    [ellipse(300, 494, 100, 16), 'frame'],
    [polygon([236, 80], [364, 80], [430, 240], [170, 240]), 'body'],
    [polygon([236, 80], [280, 80], [260, 240], [170, 240]), 'light'],
    [ellipse(300, 240, 130, 14), 'light'],
  ],
  tableLamp: [
    [ellipse(300, 400, 80, 90), 'dark'],
    [box(286, 270, 28, 60), 'frame'],
    [roundedBox(8)(220, 478, 160, 20), 'frame'],
    [polygon([220, 120], [380, 120], [450, 300], [150, 300]), 'body'],
    [polygon([220, 120], [270, 120], [240, 300], [150, 300]), 'light'],
  ],
  pendant: [
    [box(296, 0, 8, 190), 'frame'],
    [ellipse(300, 360, 190, 180), 'body'],
    [box(0, 360, 600, 240), 'paper'],
    FLOOR,
    [ellipse(300, 360, 190, 30), 'dark'],
    [ellipse(300, 366, 60, 40), 'light'],
    [roundedBox(8)(276, 172, 48, 30), 'frame'],
  ],
  dress: [
    [polygon([230, 110], [370, 110], [360, 280], [240, 280]), 'body'],
    [polygon([240, 270], [360, 270], [460, 510], [140, 510]), 'body'],
    [polygon([240, 270], [290, 270], [240, 510], [140, 510]), 'dark'],
    [stroke([240, 120], [190, 230], 44), 'body'],
    [stroke([360, 120], [410, 230], 44), 'body'],
    [box(236, 262, 128, 20), 'frame'],
    [ellipse(300, 108, 38, 34), 'paper'],
  ],
  jumper: [
    [stroke([200, 190], [120, 450], 80), 'dark'],
    [stroke([400, 190], [480, 450], 80), 'dark'],
    [roundedBox(30)(180, 150, 240, 340), 'body'],
    [roundedBox(10)(180, 450, 240, 40), 'light'],
    [box(180, 260, 240, 16), 'light'],
    [box(180, 296, 240, 16), 'light'],
    [ellipse(300, 152, 60, 30), 'dark'],
    [ellipse(300, 144, 44, 20), 'paper'],
  ],
  coat: [
    [stroke([200, 170], [130, 450], 76), 'dark'],
    [stroke([400, 170], [470, 450], 76), 'dark'],
    [polygon([190, 120], [410, 120], [440, 520], [160, 520]), 'body'],
    [polygon([250, 120], [350, 120], [300, 260]), 'light'],
    [box(297, 250, 6, 270), 'dark'],
    [ellipse(280, 310, 8, 8), 'frame'],
    [ellipse(280, 370, 8, 8), 'frame'],
    [ellipse(280, 430, 8, 8), 'frame'],
  ],
  trousers: [
    [polygon([200, 110], [400, 110], [408, 200], [192, 200]), 'body'],
    [polygon([192, 190], [300, 190], [270, 510], [180, 510]), 'body'],
    [polygon([300, 190], [408, 190], [420, 510], [330, 510]), 'dark'],
    [box(200, 110, 200, 26), 'frame'],
  ],
  boot: [
    [roundedBox(24)(210, 130, 150, 300), 'body'],
    [roundedBox(14)(210, 130, 150, 40), 'light'],
    [ellipse(400, 430, 120, 70), 'body'],
    [box(0, 462, 600, 50), 'paper'],
    FLOOR,
    [roundedBox(20)(210, 380, 180, 90), 'body'],
    [roundedBox(14)(200, 460, 320, 36), 'frame'],
    [stroke([300, 230], [360, 220], 10), 'dark'],
    [stroke([300, 280], [360, 270], 10), 'dark'],
    [stroke([310, 330], [370, 318], 10), 'dark'],
  ],
  shoe: [
    [ellipse(380, 440, 160, 90), 'body'],
    [box(0, 450, 600, 100), 'paper'],
    FLOOR,
    [polygon([110, 340], [250, 350], [400, 400], [400, 456], [100, 456]), 'body'],
    [ellipse(190, 348, 84, 24), 'dark'],
    [roundedBox(14)(92, 446, 450, 32), 'frame'],
    [stroke([300, 372], [340, 430], 14), 'light'],
  ],
  bag: [
    [ellipse(300, 250, 110, 130), 'frame'],
    [ellipse(300, 250, 86, 106), 'paper'],
    [polygon([150, 250], [450, 250], [490, 490], [110, 490]), 'body'],
    [polygon([150, 250], [450, 250], [462, 320], [138, 320]), 'dark'],
    [roundedBox(8)(276, 306, 48, 34), 'light'],
  ],
  rucksack: [
    [roundedBox(60)(150, 240, 300, 250), 'dark'],
    [roundedBox(70)(190, 120, 220, 370), 'body'],
    [box(190, 200, 220, 18), 'light'],
    [roundedBox(24)(220, 330, 160, 120), 'dark'],
    [roundedBox(8)(232, 342, 136, 20), 'light'],
    [roundedBox(20)(270, 90, 60, 44), 'frame'],
  ],
  tent: [
    [polygon([300, 150], [560, 490], [40, 490]), 'body'],
    [polygon([300, 150], [560, 490], [400, 490]), 'dark'],
    [polygon([300, 240], [390, 490], [210, 490]), 'frame'],
    [polygon([300, 240], [300, 490], [210, 490]), 'light'],
    [stroke([300, 150], [300, 100], 10), 'frame'],
  ],
  sleepingBag: [
    [ellipse(440, 340, 90, 130), 'dark'],
    [box(150, 210, 290, 260), 'body'],
    [ellipse(150, 340, 90, 130), 'body'],
    [ellipse(440, 340, 56, 86), 'light'],
    [ellipse(440, 340, 26, 44), 'dark'],
    [box(210, 208, 20, 264), 'frame'],
    [box(340, 208, 20, 264), 'frame'],
  ],
  stove: [
    [ellipse(300, 440, 90, 56), 'body'],
    [box(262, 330, 76, 90), 'frame'],
    [polygon([210, 230], [390, 230], [340, 340], [260, 340]), 'dark'],
    [roundedBox(8)(180, 214, 240, 18), 'frame'],
    [polygon([300, 110], [350, 214], [250, 214]), 'light'],
    [polygon([300, 150], [326, 214], [274, 214]), 'body'],
  ],
  bicycle: [
    [ellipse(160, 390, 120, 120), 'dark'],
    [ellipse(160, 390, 104, 104), 'paper'],
    [ellipse(440, 390, 120, 120), 'dark'],
    [ellipse(440, 390, 104, 104), 'paper'],
    [stroke([160, 390], [230, 240], 16), 'body'],
    [stroke([230, 240], [400, 230], 16), 'body'],
    [stroke([280, 390], [230, 240], 16), 'body'],
    [stroke([280, 390], [400, 230], 16), 'body'],
    [stroke([160, 390], [280, 390], 16), 'body'],
    [stroke([440, 390], [392, 190], 16), 'body'],
    [stroke([350, 180], [430, 186], 16), 'frame'],
    [roundedBox(10)(180, 220, 90, 22), 'frame'],
    [ellipse(280, 390, 22, 22), 'frame'],
  ],
  helmet: [
    [ellipse(300, 370, 220, 200), 'body'],
    [box(0, 400, 600, 200), 'paper'],
    FLOOR,
    [roundedBox(16)(76, 384, 448, 36), 'dark'],
    [ellipse(200, 300, 24, 60), 'light'],
    [ellipse(300, 280, 24, 70), 'light'],
    [ellipse(400, 300, 24, 60), 'light'],
    [stroke([160, 416], [290, 520], 12), 'frame'],
    [stroke([440, 416], [310, 520], 12), 'frame'],
  ],
  blocks: [
    [roundedBox(12)(110, 350, 150, 150), 'body'],
    [roundedBox(12)(280, 350, 150, 150), 'dark'],
    [roundedBox(12)(200, 200, 150, 150), 'light'],
    [ellipse(186, 426, 40, 40), 'paper'],
    [polygon([355, 386], [396, 464], [314, 464]), 'light'],
    [roundedBox(6)(244, 244, 62, 62), 'frame'],
    [ellipse(480, 456, 44, 44), 'frame'],
  ],
  candle: [
    [roundedBox(16)(230, 250, 140, 240), 'body'],
    [roundedBox(12)(246, 262, 28, 216), 'light'],
    [ellipse(300, 252, 70, 16), 'dark'],
    [box(296, 200, 8, 50), 'frame'],
    [ellipse(300, 172, 22, 44), 'light'],
    [ellipse(300, 184, 10, 22), 'frame'],
    [roundedBox(8)(190, 484, 220, 18), 'frame'],
  ],
  vase: [
    [stroke([300, 220], [230, 70], 8), 'frame'],
    [stroke([300, 220], [370, 90], 8), 'frame'],
    [ellipse(230, 80, 34, 34), 'light'],
    [ellipse(372, 96, 30, 30), 'dark'],
    [ellipse(300, 380, 120, 120), 'body'],
    [polygon([250, 190], [350, 190], [330, 290], [270, 290]), 'body'],
    [ellipse(260, 360, 30, 70), 'light'],
    [ellipse(300, 190, 50, 12), 'dark'],
  ],
} satisfies Record<string, readonly Layer[]>

export type Figure = keyof typeof figures

/** Whether there is a picture of this name. */
export const isFigure = (name: string): name is Figure => name in figures

const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [24, 22, 20]

const painted = new Map<Figure, Canvas<Tone>>()

/**
 * A picture of a thing on paper, a PNG of 600 by 600, some KiB: the same for the same words.
 * @param body colour of the thing itself
 * @param frame colour of its stand or frame
 */
export function draw(figure: Figure, body: Colour, frame: Colour): Promise<Buffer> {
  const canvas = canvasOf(figure)
  const paper = mix(mix(body, frame, 0.3), WHITE, 0.82)
  return canvas.png({
    paper,
    shadow: mix(paper, BLACK, 0.1),
    body,
    dark: mix(body, BLACK, 0.22),
    light: mix(body, WHITE, 0.4),
    frame,
  })
}

/** Paints all figures, one in each turn of the event loop, so that `draw` finds them painted. */
export async function paintAhead() {
  for (const name of Object.keys(figures)) {
    await setImmediate()
    if (isFigure(name)) await canvasOf(name).compressed()
  }
}

function canvasOf(figure: Figure): Canvas<Tone> {
  const canvas = painted.get(figure) ?? paint(figures[figure])
  painted.set(figure, canvas)
  return canvas
}

function paint(layers: readonly Layer[]): Canvas<Tone> {
  const canvas = new Canvas<Tone>('paper')
  for (const [shape, tone] of [FLOOR, ...layers]) canvas.paint(shape, tone)
  return canvas
}
