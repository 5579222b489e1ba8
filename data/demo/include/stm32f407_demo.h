/*
 * Registers of an STM32F407-class chip, as far as the demo needs them: struct types and base
 * addresses in the manner of CMSIS headers. Written for datasheet-lsp.
 */
#ifndef STM32F407_DEMO_H
#define STM32F407_DEMO_H

#include <stdint.h>

#ifndef STM32F407xx
#error "this demo is for the STM32F407: build it with -DSTM32F407xx"
#endif

#define __IO volatile
#define __I volatile const
#define __O volatile

typedef struct {
    __IO uint32_t CR;       /* 0x00 */
    __IO uint32_t PLLCFGR;  /* 0x04 */
    __IO uint32_t CFGR;     /* 0x08 */
    __IO uint32_t CIR;      /* 0x0C */
    __IO uint32_t AHB1RSTR; /* 0x10 */
    uint32_t reserved0[3];
    __IO uint32_t APB1RSTR; /* 0x20 */
    __IO uint32_t APB2RSTR; /* 0x24 */
    uint32_t reserved1[2];
    __IO uint32_t AHB1ENR; /* 0x30 */
    uint32_t reserved2[3];
    __IO uint32_t APB1ENR; /* 0x40 */
    __IO uint32_t APB2ENR; /* 0x44 */
    uint32_t reserved3[11];
    __IO uint32_t CSR; /* 0x74 */
} RCC_TypeDef;

typedef struct {
    __IO uint32_t MODER;   /* 0x00 */
    __IO uint32_t OTYPER;  /* 0x04 */
    __IO uint32_t OSPEEDR; /* 0x08 */
    __IO uint32_t PUPDR;   /* 0x0C */
    __I uint32_t IDR;      /* 0x10 */
    __IO uint32_t ODR;     /* 0x14 */
    __O uint32_t BSRR;     /* 0x18 */
    __IO uint32_t LCKR;    /* 0x1C */
    __IO uint32_t AFR[2];  /* 0x20 AFRL, 0x24 AFRH */
} GPIO_TypeDef;

typedef struct {
    __IO uint32_t SR;   /* 0x00 */
    __IO uint32_t DR;   /* 0x04 */
    __IO uint32_t BRR;  /* 0x08 */
    __IO uint32_t CR1;  /* 0x0C */
    __IO uint32_t CR2;  /* 0x10 */
    __IO uint32_t CR3;  /* 0x14 */
    __IO uint32_t GTPR; /* 0x18 */
} USART_TypeDef;

typedef struct {
    __IO uint32_t CR1;   /* 0x00 */
    __IO uint32_t CR2;   /* 0x04 */
    __IO uint32_t SMCR;  /* 0x08 */
    __IO uint32_t DIER;  /* 0x0C */
    __IO uint32_t SR;    /* 0x10 */
    __O uint32_t EGR;    /* 0x14 */
    __IO uint32_t CCMR1; /* 0x18 */
    __IO uint32_t CCMR2; /* 0x1C */
    __IO uint32_t CCER;  /* 0x20 */
    __IO uint32_t CNT;   /* 0x24 */
    __IO uint32_t PSC;   /* 0x28 */
    __IO uint32_t ARR;   /* 0x2C */
    uint32_t reserved0;
    __IO uint32_t CCR1; /* 0x34 */
    __IO uint32_t CCR2; /* 0x38 */
    __IO uint32_t CCR3; /* 0x3C */
    __IO uint32_t CCR4; /* 0x40 */
    uint32_t reserved1;
    __IO uint32_t DCR;  /* 0x48 */
    __IO uint32_t DMAR; /* 0x4C */
} TIM_TypeDef;

#define DMA_STREAM(n)             \
    __IO uint32_t S##n##CR;       \
    __IO uint32_t S##n##NDTR;     \
    __IO uint32_t S##n##PAR;      \
    __IO uint32_t S##n##M0AR;     \
    __IO uint32_t S##n##M1AR;     \
    __IO uint32_t S##n##FCR

typedef struct {
    __I uint32_t LISR;  /* 0x00 */
    __I uint32_t HISR;  /* 0x04 */
    __O uint32_t LIFCR; /* 0x08 */
    __O uint32_t HIFCR; /* 0x0C */
    DMA_STREAM(0);      /* 0x10 */
    DMA_STREAM(1);      /* 0x28 */
    DMA_STREAM(2);      /* 0x40 */
    DMA_STREAM(3);      /* 0x58 */
    DMA_STREAM(4);      /* 0x70 */
    DMA_STREAM(5);      /* 0x88 */
    DMA_STREAM(6);      /* 0xA0 */
    DMA_STREAM(7);      /* 0xB8 */
} DMA_TypeDef;

/* The two core peripherals the demo uses, from the Armv7-M architecture. */
typedef struct {
    __IO uint32_t CTRL;
    __IO uint32_t LOAD;
    __IO uint32_t VAL;
    __I uint32_t CALIB;
} SysTick_Type;

typedef struct {
    __IO uint32_t ISER[8]; /* set-enable */
} NVIC_Type;

#define TIM3_BASE 0x40000400UL
#define USART2_BASE 0x40004400UL
#define USART1_BASE 0x40011000UL
#define GPIOA_BASE 0x40020000UL
#define GPIOD_BASE 0x40020C00UL
#define RCC_BASE 0x40023800UL
#define DMA1_BASE 0x40026000UL
#define DMA2_BASE 0x40026400UL
#define SysTick_BASE 0xE000E010UL
#define NVIC_BASE 0xE000E100UL

#define TIM3 ((TIM_TypeDef *)TIM3_BASE)
#define USART2 ((USART_TypeDef *)USART2_BASE)
#define USART1 ((USART_TypeDef *)USART1_BASE)
#define GPIOA ((GPIO_TypeDef *)GPIOA_BASE)
#define GPIOD ((GPIO_TypeDef *)GPIOD_BASE)
#define RCC ((RCC_TypeDef *)RCC_BASE)
#define DMA1 ((DMA_TypeDef *)DMA1_BASE)
#define DMA2 ((DMA_TypeDef *)DMA2_BASE)
#define SysTick ((SysTick_Type *)SysTick_BASE)
#define NVIC ((NVIC_Type *)NVIC_BASE)

#define USART2_IRQn 38
#define TIM3_IRQn 29
#define DMA1_Stream5_IRQn 16

#endif
